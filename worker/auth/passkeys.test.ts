import { env } from 'cloudflare:test'
import { beforeAll, expect, test } from 'vitest'
import { HOUR_MS, MINUTE_MS } from '../lib/clock'
import { errorOf, newBrowser, statusAndCodeOf } from '../testing/client'
import { emailsTo } from '../testing/emails'
import { NOON, seedSite } from '../testing/seed'
import { newAuthenticator } from '../testing/software-authenticator'
import { spyOnD1 } from '../testing/stores'
import { addNamedUser, browserWithSession, uniqueIp } from '../testing/users'

beforeAll(() => seedSite(env.DB))

type Browser = Awaited<ReturnType<typeof browserWithSession>>
type Authenticator = Awaited<ReturnType<typeof newAuthenticator>>

async function addPasskey(browser: Browser, authenticator: Authenticator, name = 'Phone') {
  const options = await browser.send('POST', '/api/account/passkey-options')
  const passkey = await authenticator.create(await options.json())
  return browser.send('POST', '/api/account/passkeys', { name, passkey })
}

async function sendPasskey(browser: Browser, path: string, authenticator: Authenticator, options?: object) {
  const response = await browser.send('POST', '/api/auth/passkey/options')
  const passkey = await authenticator.get(await response.json(), options)
  return browser.send('POST', path, { passkey })
}
const logIn = (browser: Browser, authenticator: Authenticator, options?: object) =>
  sendPasskey(browser, '/api/auth/passkey', authenticator, options)

let userCount = 0
/** A user with a passkey, in the browser where it was added. */
async function addUserWithPasskey(row: Parameters<typeof addNamedUser>[1] = {}) {
  const username = `key${++userCount}`
  const user = await addNamedUser(username, row)
  const browser = await browserWithSession(username, { at: NOON })
  const authenticator = await newAuthenticator()
  expect((await addPasskey(browser, authenticator)).status).toBe(201)
  return { user, username, browser, authenticator }
}
const otherBrowser = (at = NOON) => newBrowser({ address: uniqueIp(), at })

test('adds, lists, renames and removes a passkey with notices', async () => {
  const { user, username, browser, authenticator } = await addUserWithPasskey()
  const path = `/api/account/passkeys/${authenticator.id}`
  expect(await (await browser.send('GET', '/api/account/passkeys')).json()).toEqual([
    { id: authenticator.id, name: 'Phone', createdAt: new Date(NOON).toISOString(), lastUsedAt: null },
  ])
  expect(await (await browser.send('PATCH', path, { name: 'My phone' })).json()).toMatchObject({ name: 'My phone' })
  const stranger = await browserWithSession((await addUserWithPasskey()).username, { at: NOON })
  for (const [method, body] of [['PATCH', { name: 'Mine' }], ['DELETE']] as const)
    expect((await stranger.send(method, path, body)).status).toBe(404)
  expect((await browser.send('DELETE', path)).status).toBe(204)
  expect(await (await browser.send('GET', '/api/account/passkeys')).json()).toEqual([])
  expect(await statusAndCodeOf(await logIn(otherBrowser(), authenticator))).toEqual([401, 'bad_credentials'])
  const emails = await emailsTo(`${username}@fan.example`)
  expect(emails.map(({ kind }) => kind).sort()).toEqual(['passkey_added', 'passkey_removed'])
  const audit = await env.DB.prepare('SELECT action FROM audit_log WHERE actor_id = ?').bind(user.id).all()
  expect(audit.results.map(({ action }) => action)).toEqual(['passkey.added', 'passkey.removed'])
})

test('logs in without a username', async () => {
  const { username, browser, authenticator } = await addUserWithPasskey()
  const visitor = otherBrowser(NOON + MINUTE_MS)
  expect(await (await logIn(visitor, authenticator)).json()).toMatchObject({ username })
  expect(await (await visitor.send('GET', '/api/auth/user')).json()).toMatchObject({ username })
  expect(await (await browser.send('GET', '/api/account/passkeys')).json()).toMatchObject([
    { lastUsedAt: new Date(NOON + MINUTE_MS).toISOString() },
  ])
})

test.each<[string, (authenticator: Authenticator) => object | undefined]>([
  ['another site’s origin', () => ({ origin: 'https://evil.example' })],
  ['no user verification', () => ({ isUserVerified: false })],
  [
    'the user handle of another account',
    (authenticator) => void Object.assign(authenticator, { userHandle: 'b3RoZXI' }),
  ],
])('rejects a passkey with %s', async (_, change) => {
  const { authenticator } = await addUserWithPasskey()
  const options = change(authenticator)
  expect(await statusAndCodeOf(await logIn(otherBrowser(), authenticator, options))).toEqual([401, 'bad_credentials'])
})

test('rejects a signature counter that does not increase', async () => {
  const { authenticator } = await addUserWithPasskey()
  authenticator.counter = 7
  expect((await logIn(otherBrowser(), authenticator)).status).toBe(200)
  for (const counter of [7, 6, 0]) {
    authenticator.counter = counter
    expect((await logIn(otherBrowser(), authenticator)).status).toBe(401)
  }
  authenticator.counter = 8
  expect((await logIn(otherBrowser(), authenticator)).status).toBe(200)
})

test('accepts a challenge once, for five minutes, in its browser', async () => {
  const { authenticator } = await addUserWithPasskey()
  const visitor = otherBrowser()
  const options = await (await visitor.send('POST', '/api/auth/passkey/options')).json<{
    challenge: string
    rpId: string
  }>()
  const passkey = await authenticator.get(options)
  const cookie = new Map(visitor.cookies)
  const errorOfPasskey = async (browser: Browser) =>
    await statusAndCodeOf(await browser.send('POST', '/api/auth/passkey', { passkey }))
  expect(await errorOfPasskey(otherBrowser())).toEqual([400, 'bad_token'])
  const lateBrowser = newBrowser({ address: uniqueIp(), at: NOON + 5 * MINUTE_MS })
  for (const [name, value] of cookie) lateBrowser.cookies.set(name, value)
  expect(await errorOfPasskey(lateBrowser)).toEqual([400, 'bad_token'])
  expect((await visitor.send('POST', '/api/auth/passkey', { passkey })).status).toBe(200)
  const replaying = otherBrowser()
  for (const [name, value] of cookie) replaying.cookies.set(name, value)
  expect(await errorOfPasskey(replaying)).toEqual([400, 'bad_token'])
})

test('does not add a passkey with another account’s challenge', async () => {
  const [first, second] = [await addUserWithPasskey(), await addUserWithPasskey()]
  const authenticator = await newAuthenticator()
  const options = await first.browser.send('POST', '/api/account/passkey-options')
  const passkey = await authenticator.create(await options.json())
  const cookie = first.browser.cookies.get('__Host-passkey')!
  second.browser.cookies.set('__Host-passkey', cookie)
  const response = await second.browser.send('POST', '/api/account/passkeys', { name: 'Theirs', passkey })
  expect(await statusAndCodeOf(response)).toEqual([400, 'bad_token'])
})

test('adding or removing a passkey requires recent authentication', async () => {
  const { username, authenticator } = await addUserWithPasskey()
  const staleBrowser = otherBrowser()
  for (const cookie of (await browserWithSession(username, { at: NOON - HOUR_MS })).cookies)
    staleBrowser.cookies.set(...cookie)
  expect((await staleBrowser.send('POST', '/api/account/passkey-options')).status).toBe(403)
  expect((await staleBrowser.send('DELETE', `/api/account/passkeys/${authenticator.id}`)).status).toBe(403)
  expect((await sendPasskey(staleBrowser, '/api/auth/confirm/passkey', authenticator)).status).toBe(204)
  expect((await staleBrowser.send('POST', '/api/account/passkey-options')).status).toBe(200)
})

test('re-authenticates only with a passkey of the account', async () => {
  const [first, second] = [await addUserWithPasskey(), await addUserWithPasskey()]
  expect((await sendPasskey(first.browser, '/api/auth/confirm/passkey', second.authenticator)).status).toBe(401)
})

test('a passkey opens an admin session without a second factor', async () => {
  const { authenticator, username } = await addUserWithPasskey({ role: 'administrator' })
  await env.DB.prepare(
    'INSERT INTO authenticators (user_id, sealed_secret, confirmed_at) SELECT id, ?1, 1 FROM users WHERE username = ?2',
  )
    .bind('sealed', username)
    .run()
  const browser = otherBrowser()
  const response = await sendPasskey(browser, '/api/admin/login/passkey', authenticator)
  expect(await response.json()).toMatchObject({ username })
  expect((await browser.send('GET', '/api/admin/session')).status).toBe(200)
  expect((await sendPasskey(browser, '/api/admin/confirm/passkey', authenticator)).status).toBe(204)
  const supporter = await addUserWithPasskey()
  expect((await sendPasskey(otherBrowser(), '/api/admin/login/passkey', supporter.authenticator)).status).toBe(401)
  expect((await sendPasskey(browser, '/api/admin/confirm/passkey', supporter.authenticator)).status).toBe(401)
})

test.each([
  ['banned', 'banned_at', 403],
  ['erased', 'erased_at', 401],
])('rejects the passkey of a(n) %s account', async (_, column, status) => {
  const { user, authenticator } = await addUserWithPasskey()
  await env.DB.prepare(`UPDATE users SET ${column} = 1 WHERE id = ?`).bind(user.id).run()
  expect((await logIn(otherBrowser(), authenticator)).status).toBe(status)
})

test('allows at most ten passkeys per account', async () => {
  const { browser } = await addUserWithPasskey()
  for (let n = 1; n < 10; n++) expect((await addPasskey(browser, await newAuthenticator())).status).toBe(201)
  expect((await addPasskey(browser, await newAuthenticator())).status).toBe(409)
})

test('adds no passkey after the session has ended', async () => {
  const { id } = await addNamedUser('raced')
  const browser = await browserWithSession('raced', { at: NOON })
  const options = await browser.send('POST', '/api/account/passkey-options')
  const passkey = await (await newAuthenticator()).create(await options.json())
  // Runs between the session check and the insert.
  const endSessions = env.DB.prepare('UPDATE users SET session_epoch = 1 WHERE id = ?').bind(id)
  const { DB } = spyOnD1(env.DB, {
    before: async (_, sql) => {
      if (sql.some((text) => text.includes('INSERT INTO passkeys'))) await endSessions.run()
    },
  })
  const body = { name: 'Phone', passkey }
  const response = await browser.send('POST', '/api/account/passkeys', body, { env: { DB } })
  expect(await errorOf(response)).toEqual([401, 'signed_out', 'Please log in first.'])
  expect(await env.DB.prepare('SELECT * FROM passkeys WHERE user_id = ?').bind(id).first()).toBe(null)
})
