import { createExecutionContext, env } from 'cloudflare:test'
import { eq } from 'drizzle-orm'
import { beforeAll, expect, test, vi } from 'vitest'
import { createApp } from '../app'
import type { Track } from '../contract/tracks'
import { DAY_MS, HOUR_MS } from '../lib/clock'
import { errorOf, newBrowser, statusAndCodeOf } from '../testing/client'
import { addTrack, db } from '../testing/fixtures'
import { NOON, seedSite } from '../testing/seed'
import { snapshotRows, spyOnD1, staleKV, withMethods } from '../testing/stores'
import { addNamedUser, browserWithSession, logInWithPassword, PASSWORD } from '../testing/users'
import { users } from '../users/users.table'
import { readSession, sessionKey } from './sessions'

const COOKIE = '__Host-session'

const logIn = (username: string, options: Parameters<typeof browserWithSession>[1] = {}) =>
  browserWithSession(username, { at: NOON, ...options })

const getUser = (browser: ReturnType<typeof newBrowser>, options = {}) =>
  browser.send('GET', '/api/auth/user', undefined, options)

beforeAll(async () => {
  await seedSite(env.DB)
  await addTrack({ id: 1 })
})

test('login starts a session, logout ends it', async () => {
  await addNamedUser('ana')
  const browser = await logInWithPassword('ana', { at: NOON })
  expect(await (await browser.send('GET', '/api/auth/status')).json()).toMatchObject({ username: 'ana', points: 0 })
  expect((await browser.send('POST', '/api/auth/logout')).status).toBe(204)
  expect(await (await browser.send('GET', '/api/auth/status')).json()).toBe(null)
  expect(await errorOf(await getUser(browser))).toEqual([401, 'signed_out', 'Please log in first.'])
})

test('a stolen cookie is invalid after logout despite stale KV', async () => {
  await addNamedUser('bo')
  const SESSIONS = staleKV(env.SESSIONS)
  const browser = await logIn('bo', { env: { SESSIONS } })
  const thief = newBrowser({ at: NOON, env: { SESSIONS } })
  thief.cookies.set(COOKIE, browser.cookies.get(COOKIE)!)
  expect((await getUser(thief)).status).toBe(200)
  await browser.send('POST', '/api/auth/logout')
  expect((await getUser(thief)).status).toBe(401)
})

test('raising the epoch ends every session despite stale KV', async () => {
  const { id } = await addNamedUser('cy')
  const SESSIONS = staleKV(env.SESSIONS)
  const [first, second] = [await logIn('cy', { env: { SESSIONS } }), await logIn('cy', { env: { SESSIONS } })]
  expect([(await getUser(first)).status, (await getUser(second)).status]).toEqual([200, 200])
  await db.update(users).set({ sessionEpoch: 1 }).where(eq(users.id, id))
  expect([(await getUser(first)).status, (await getUser(second)).status]).toEqual([401, 401])
})

test('rejects a banned account, except for public endpoints', async () => {
  const { id } = await addNamedUser('di')
  const browser = await logIn('di')
  await db.update(users).set({ bannedAt: NOON, sessionEpoch: 1 }).where(eq(users.id, id))
  expect(await errorOf(await getUser(browser))).toEqual([403, 'forbidden', 'This account has been banned.'])
  expect(await (await browser.send('GET', '/api/auth/status')).json()).toBe(null)
})

test('login replaces a planted session cookie', async () => {
  await addNamedUser('ed')
  const attackerSid = 'A'.repeat(43)
  const browser = newBrowser({ at: NOON })
  browser.cookies.set(COOKIE, attackerSid)
  await browser.send('POST', '/api/auth/login', { username: 'ed', password: PASSWORD })
  expect(browser.cookies.get(COOKIE)).not.toBe(attackerSid)
  const attacker = newBrowser({ at: NOON })
  attacker.cookies.set(COOKIE, attackerSid)
  expect((await getUser(attacker)).status).toBe(401)
})

test('a second login in one browser ends the first session', async () => {
  await addNamedUser('flo')
  const browser = await logIn('flo')
  const first = browser.cookies.get(COOKIE)!
  await browser.send('POST', '/api/auth/login', { username: 'flo', password: PASSWORD })
  const old = newBrowser({ at: NOON })
  old.cookies.set(COOKIE, first)
  expect([(await getUser(old)).status, (await getUser(browser)).status]).toEqual([401, 200])
})

test.each([
  [
    'one changed character',
    (token: string) => `${token.slice(0, 20)}${token[20] === 'A' ? 'B' : 'A'}${token.slice(21)}`,
  ],
  ['truncated', (token: string) => token.slice(0, 42)],
  ['5 KB', (token: string) => token.repeat(120)],
  ['a path', () => '../s:x'],
  ['not ASCII', () => '%00%ff%zz'],
])('rejects a modified token: %s', async (_, change) => {
  const browser = await logIn('ana')
  browser.cookies.set(COOKIE, change(browser.cookies.get(COOKIE)!))
  expect((await getUser(browser)).status).toBe(401)
})

test('over https accepts tokens only in the prefixed session cookie', async () => {
  const browser = await logIn('ana')
  const token = browser.cookies.get(COOKIE)!
  const unprefixed = newBrowser({ at: NOON })
  unprefixed.cookies.set('session', token)
  expect((await getUser(unprefixed)).status).toBe(401)
  const visitor = newBrowser({ at: NOON })
  expect((await visitor.send('GET', `/api/auth/user?session=${token}&token=${token}`)).status).toBe(401)
  for (const key of ['session', '__Host-session', 'token'])
    expect((await visitor.send('PATCH', '/api/account', { leaderboardOptOut: true, [key]: token })).status).toBe(401)
  const headers = { authorization: `Bearer ${token}`, 'x-session': token }
  expect((await visitor.send('GET', '/api/auth/user', undefined, { headers })).status).toBe(401)
})

test('plain http redirects to https without cookies or data', async () => {
  await addNamedUser('plain')
  const context = createExecutionContext()
  const logInAt = (url: string) =>
    createApp(() => NOON).fetch(
      new Request(url, {
        method: 'POST',
        headers: { origin: new URL(url).origin, 'content-type': 'application/json', 'cf-connecting-ip': '198.51.99.2' },
        body: JSON.stringify({ username: 'plain', password: PASSWORD }),
      }),
      env,
      context,
    )
  const redirect = await logInAt('http://fan.example/api/auth/login?x=1')
  expect([redirect.status, redirect.headers.get('location'), redirect.headers.getSetCookie()]).toEqual([
    308,
    'https://fan.example/api/auth/login?x=1',
    [],
  ])
  const local = await logInAt('http://localhost:8787/api/auth/login')
  expect([local.status, local.headers.getSetCookie()[0]]).toEqual([
    200,
    expect.stringMatching(/^session=[^;]+; Max-Age/),
  ])
})

test('duplicate session cookies authenticate at most one user', async () => {
  const browser = await logIn('ana')
  const cookie = `${COOKIE}=${'B'.repeat(43)}; ${COOKIE}=${browser.cookies.get(COOKIE)}`
  expect(
    (await newBrowser({ at: NOON }).send('GET', '/api/auth/user', undefined, { headers: { cookie } })).status,
  ).toBe(401)
})

test('a session holds its user’s mailbox, encrypted in KV', async () => {
  await addNamedUser('boxed', { mailboxKey: 'boxed@fan.example' })
  const browser = await logInWithPassword('boxed', { at: NOON })
  const token = browser.cookies.get(COOKIE)!
  expect(await readSession(env.SESSIONS, 'supporter', token, NOON)).toMatchObject({ mailboxKey: 'boxed@fan.example' })
  expect(await env.SESSIONS.get(await sessionKey('supporter', token))).not.toContain('boxed')
})

test('KV and D1 contain only hashes of session tokens', async () => {
  const browser = await logIn('ana')
  const token = browser.cookies.get(COOKIE)!
  await browser.send('POST', '/api/auth/logout')
  await browser.send('POST', '/api/auth/login', { username: 'ana', password: PASSWORD })
  const { keys } = await env.SESSIONS.list()
  const values = await Promise.all(keys.map(({ name }) => env.SESSIONS.get(name)))
  expect(keys.length).toBeGreaterThan(0)
  const rows = await snapshotRows(env.DB)
  expect(rows.revoked_sessions?.length).toBeGreaterThan(0)
  for (const secret of [token, browser.cookies.get(COOKIE)!])
    expect(JSON.stringify([keys, values, rows])).not.toContain(secret)
})

test.each([
  ['the session', 'supporter', 'GET', '/api/auth/status'],
  ['the supporter', 'supporter', 'GET', '/api/auth/user'],
  ['the admin session', 'administrator', 'GET', '/api/admin/session'],
  // The write statement itself checks the session.
  ['a like', 'supporter', 'POST', '/api/tracks/1/like'],
] as const)('%s costs one KV read and one D1 round trip', async (request, as, method, path) => {
  const name = `caller.${request.replace(/ /g, '.')}`
  await addNamedUser(name, { role: as === 'administrator' ? 'administrator' : 'supporter' })
  const browser = await logIn(name, { as })
  if (as === 'administrator') browser.cookies.delete(COOKIE)
  const get = vi.fn((key: string) => env.SESSIONS.get(key))
  const SESSIONS = withMethods(env.SESSIONS, { get })
  const { DB, trips } = spyOnD1(env.DB)
  const response = await browser.send(method, path, undefined, { env: { SESSIONS, DB } })
  expect([response.status, get.mock.calls.length, trips()]).toEqual([200, 1, 1])
})

test('requests without a valid cookie read neither KV nor D1', async () => {
  const SESSIONS = new Proxy(env.SESSIONS, {
    get: () => () => {
      throw new Error('KV was read')
    },
  })
  const { DB, trips } = spyOnD1(env.DB)
  const visitor = newBrowser({ at: NOON, env: { SESSIONS, DB } })
  expect(await (await visitor.send('GET', '/api/auth/status')).json()).toBe(null)
  visitor.cookies.set(COOKIE, 'not a token')
  expect(await (await visitor.send('GET', '/api/auth/status')).json()).toBe(null)
  expect(trips()).toBe(0)
})

test.each([
  ['fails', () => Promise.reject(new Error('KV is down'))],
  ['never responds', () => new Promise(() => undefined)],
])('when KV %s, sessions fail and public endpoints work', async (_, get) => {
  const browser = await logIn('ana')
  const SESSIONS = withMethods(env.SESSIONS, { get })
  expect((await getUser(browser, { env: { SESSIONS } })).status).toBe(503)
  const paths = ['/', '/api/tracks', '/api/polls/active', '/api/concerts']
  const responses = paths.map((path) => browser.send('GET', path, undefined, { env: { SESSIONS } }))
  expect((await Promise.all(responses)).map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect((await newBrowser().send('GET', '/api/auth/status', undefined, { env: { SESSIONS } })).status).toBe(200)
})

test('ignores malformed sessions in KV', async () => {
  const browser = await logIn('ana')
  const SESSIONS = withMethods(env.SESSIONS, { get: async () => '{"userId":1' })
  expect((await getUser(browser, { env: { SESSIONS } })).status).toBe(401)
})

test('login sets no cookie when KV rejects the session', async () => {
  const SESSIONS = withMethods(env.SESSIONS, { put: () => Promise.reject(new Error('429')) })
  const browser = newBrowser({ at: NOON, env: { SESSIONS } })
  const response = await browser.send('POST', '/api/auth/login', { username: 'ana', password: PASSWORD })
  expect([response.status, response.headers.getSetCookie()]).toEqual([503, []])
})

test('ten concurrent requests right after login succeed', async () => {
  const browser = await logIn('ana')
  const responses = await Promise.all(Array.from({ length: 10 }, () => getUser(browser)))
  expect(responses.map(({ status }) => status)).toEqual(Array(10).fill(200))
})

test('sessions expire after 30 idle days or 90 days', async () => {
  const { id } = await addNamedUser('hal')
  const used = await logIn('hal')
  const idle = await logIn('hal')
  for (let day = 20; day < 90; day += 20) expect((await getUser(used, { at: NOON + day * DAY_MS })).status).toBe(200)
  expect((await getUser(idle, { at: NOON + 30 * DAY_MS })).status).toBe(401)
  expect((await getUser(used, { at: NOON + 90 * DAY_MS - 1 })).status).toBe(200)
  expect((await getUser(used, { at: NOON + 90 * DAY_MS })).status).toBe(401)
  const [row] = await db.select().from(users).where(eq(users.id, id))
  expect(row?.lastActiveAt).toBe(NOON + 90 * DAY_MS - 1)
})

test('renews a session at most once a day', async () => {
  const browser = await logIn('ana')
  const put = vi.fn((...args: Parameters<KVNamespace['put']>) => env.SESSIONS.put(...args))
  const SESSIONS = withMethods(env.SESSIONS, { put })
  for (const hours of [1, 12, 23, 24, 25, 47]) await getUser(browser, { at: NOON + hours * HOUR_MS, env: { SESSIONS } })
  expect(put).toHaveBeenCalledTimes(1)
})

test('rejects a body sent after the session ended', async () => {
  await addNamedUser('held')
  const browser = await logIn('held')
  const stalled = newBrowser({ at: NOON })
  stalled.cookies.set(COOKIE, browser.cookies.get(COOKIE)!)
  const body = new ReadableStream({
    async pull(stream) {
      await browser.send('POST', '/api/auth/logout-everywhere')
      stream.enqueue(new TextEncoder().encode('{"leaderboardOptOut":true}'))
      stream.close()
    },
  })
  const headers = { 'content-type': 'application/json' }
  const response = await stalled.send('PATCH', '/api/account', undefined, { raw: body, headers })
  expect(await statusAndCodeOf(response)).toEqual([401, 'signed_out'])
})

test('returns no likes for an ended session', async () => {
  await addNamedUser('liker')
  const browser = await logIn('liker')
  expect((await browser.send('POST', '/api/tracks/1/like')).status).toBe(200)
  const ended = newBrowser({ at: NOON })
  ended.cookies.set(COOKIE, browser.cookies.get(COOKIE)!)
  const isLiked = async () => (await (await ended.send('GET', '/api/tracks')).json<Track[]>())[0]?.liked
  expect(await isLiked()).toBe(true)
  await browser.send('POST', '/api/auth/logout-everywhere')
  expect(await isLiked()).toBe(false)
})
