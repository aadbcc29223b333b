import { env } from 'cloudflare:test'
import { eq, sql } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { endpoints } from '../contract'
import { TOKEN_SCOPES, type TokenScope } from '../contract/developers'
import type { TeamRole } from '../contract/endpoint'
import { isPublicRead, tokenScope } from '../contract/token-scopes'
import { DAY_MS, MINUTE_MS } from '../lib/clock'
import { limits } from '../limits'
import { errorOf, fillPath, send, statusAndCodeOf } from '../testing/client'
import { emailsTo } from '../testing/emails'
import { addUser, db, fixtureParams, loadFixtures } from '../testing/fixtures'
import { PERMISSIONS } from '../testing/permissions'
import { NOON } from '../testing/seed'
import { addNamedUser, browserWithSession, cookieHeaderFor, PASSWORD, uniqueIp } from '../testing/users'
import { teamMembers } from '../users/team.table'
import { users } from '../users/users.table'
import { createToken, hashToken } from './api-tokens'
import { apiTokens } from './api-tokens.table'

beforeAll(loadFixtures)

/** Most tests make more requests than the limit of one token allows. */
const UNLIMITED = { LIMIT_API: { limit: async () => ({ success: true }) } } as never
const deps = { db, secret: env.SIGNING_SECRET, origin: 'https://fan.example' }

async function newToken(scopes: TokenScope[], teamRole: TeamRole = 'owner') {
  const { id: userId } = await addUser({ role: 'administrator', teamRole })
  const { token, id } = await createToken(
    deps,
    { name: 'Box office', scopes, expiresInDays: 30 },
    { actorId: userId, at: NOON },
  )
  return { userId, token, id }
}

type RequestOptions = Omit<NonNullable<Parameters<typeof send>[3]>, 'headers'> & { contentType?: string }
const request = (
  token: string,
  method: string,
  path: string,
  json?: unknown,
  { contentType, ...options }: RequestOptions = {},
) =>
  send(method, path, json, {
    at: NOON,
    env: UNLIMITED,
    ...options,
    headers: {
      ...(contentType && { 'content-type': contentType }),
      authorization: `Bearer ${token}`,
      origin: 'https://elsewhere.example',
      'cf-connecting-ip': uniqueIp(),
    },
  })

const keyOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`
const bodyOf = (route: string) => {
  const body = PERMISSIONS[route]?.body
  return typeof body === 'function' ? body('administrator') : body
}

test('a token without a scope reaches nothing but public reads', async () => {
  const { token, id } = await newToken(['metrics:read'])
  await db.update(apiTokens).set({ scopes: [] }).where(eq(apiTokens.id, id))
  const wrong: string[] = []
  for (const endpoint of endpoints.filter((endpoint) => endpoint.path.startsWith('/api/') && !isPublicRead(endpoint))) {
    const route = keyOf(endpoint)
    const path = fillPath(endpoint.path, fixtureParams(endpoint.path))
    const response = await request(token, endpoint.method, path, bodyOf(route))
    const [status, code] = await statusAndCodeOf(response)
    const expected = tokenScope(endpoint) ? 'scope_required' : 'token_not_allowed'
    if (status !== 403 || code !== expected) wrong.push(`${route}: ${status} ${code}`)
  }
  expect(wrong).toEqual([])
})

test('each scope reaches its endpoints, and no other scope does', async () => {
  const wrong: string[] = []
  const scoped = endpoints.flatMap((endpoint) => {
    const scope = tokenScope(endpoint)
    return scope ? [{ endpoint, scope }] : []
  })
  expect(scoped.length).toBeGreaterThan(80)
  expect([...new Set(scoped.map(({ scope }) => scope))].sort()).toEqual([...TOKEN_SCOPES].sort())
  for (const scope of new Set(scoped.map(({ scope }) => scope))) {
    const allowed = await newToken([scope])
    const denied = await newToken(TOKEN_SCOPES.filter((other) => other !== scope))
    for (const { endpoint } of scoped.filter((each) => each.scope === scope)) {
      const path = fillPath(endpoint.path, fixtureParams(endpoint.path))
      const [status, code] = await statusAndCodeOf(await request(denied.token, endpoint.method, path))
      if (code !== 'scope_required') wrong.push(`${keyOf(endpoint)} without ${scope}: ${status} ${code}`)
      if (endpoint.method !== 'GET') continue
      const response = await request(allowed.token, 'GET', path)
      if (response.status !== PERMISSIONS[keyOf(endpoint)]?.administrator)
        wrong.push(`${keyOf(endpoint)}: ${response.status}`)
    }
  }
  expect(wrong).toEqual([])
}, 60_000)

test('no scope reaches endpoints for credentials, the team or exports', () => {
  const sensitive = endpoints.filter(
    ({ recentAuth, path, auth }) =>
      recentAuth ||
      auth !== 'admin' ||
      /administrators|api-tokens|webhook|archives|exports|second-factor|audit|\/system|privacy|\/mail/.test(path),
  )
  expect(sensitive.filter((endpoint) => tokenScope(endpoint) !== null).map(keyOf)).toEqual([])
})

test('a token never exceeds its owner’s role', async () => {
  const roles: TeamRole[] = ['manager', 'editor', 'door']
  const wrong: string[] = []
  for (const role of roles) {
    const { token } = await newToken([...TOKEN_SCOPES], role)
    for (const endpoint of endpoints.filter((endpoint) => tokenScope(endpoint) && !endpoint.roles?.includes(role))) {
      const path = fillPath(endpoint.path, fixtureParams(endpoint.path))
      const { file } = PERMISSIONS[keyOf(endpoint)] ?? {}
      const upload = file && { raw: file.bytes, contentType: file.type }
      const response = await request(token, endpoint.method, path, undefined, upload)
      const [, code] = await statusAndCodeOf(response)
      if (code !== 'role_required') wrong.push(`${role} ${keyOf(endpoint)}: ${code}`)
    }
  }
  expect(wrong).toEqual([])
}, 60_000)

const INVALID_TOKEN_ERROR = [
  401,
  'bad_api_token',
  'This access token is not valid. It may have expired or been revoked.',
]
const readWith = (token: string, options = {}) => request(token, 'GET', '/api/admin/overview', undefined, options)

test('a token ends on demotion, removal, ban or expiry', async () => {
  const endings: [string, (userId: number) => Promise<unknown>][] = [
    ['demoted', (id) => db.update(users).set({ role: 'supporter' }).where(eq(users.id, id))],
    ['removed', (id) => db.delete(teamMembers).where(eq(teamMembers.userId, id))],
    ['banned', (id) => db.update(users).set({ bannedAt: NOON }).where(eq(users.id, id))],
  ]
  for (const [name, end] of endings) {
    const { token, userId } = await newToken(['metrics:read'])
    expect([name, (await readWith(token)).status]).toEqual([name, 200])
    await end(userId)
    expect([name, await errorOf(await readWith(token))]).toEqual([name, INVALID_TOKEN_ERROR])
  }
  const { token } = await newToken(['metrics:read'])
  expect((await readWith(token, { at: NOON + 30 * DAY_MS - 1 })).status).toBe(200)
  expect(await errorOf(await readWith(token, { at: NOON + 30 * DAY_MS }))).toEqual(INVALID_TOKEN_ERROR)
})

test('a token ends when all sessions of its owner end', async () => {
  for (const [path, body] of [
    ['/api/auth/logout-everywhere', undefined],
    ['/api/auth/password/change', { current: PASSWORD, password: 'another long password 2026' }],
  ] as const) {
    const { id, username } = await addNamedUser(`ender${path.length}`, { role: 'administrator' })
    const draft = { name: 'Sync', scopes: ['metrics:read' as const], expiresInDays: 30 }
    const { token } = await createToken(deps, draft, { actorId: id, at: NOON })
    expect([path, (await readWith(token)).status]).toEqual([path, 200])
    const browser = await browserWithSession(username!, { at: NOON })
    expect((await browser.send('POST', path, body, { at: NOON })).ok).toBe(true)
    expect([path, await errorOf(await readWith(token))]).toEqual([path, INVALID_TOKEN_ERROR])
  }
})

test('emails the owners when a token is created', async () => {
  const { email } = await addNamedUser('watcher', { role: 'administrator' })
  await newToken(['metrics:read'])
  expect(await emailsTo(email!)).toMatchObject([{ kind: 'token_created' }])
})

test('a token stays invalid when its owner rejoins the team', async () => {
  const { token, userId } = await newToken(['metrics:read'])
  await db.update(users).set({ role: 'supporter' }).where(eq(users.id, userId))
  await db.update(users).set({ role: 'administrator' }).where(eq(users.id, userId))
  expect(await errorOf(await readWith(token))).toEqual(INVALID_TOKEN_ERROR)
})

test('rejects malformed, altered and unknown tokens alike', async () => {
  const { token } = await newToken(['metrics:read'])
  const altered = `${token.slice(0, 10)}${token[10] === 'A' ? 'B' : 'A'}${token.slice(11)}`
  for (const bad of ['x', altered, `${token}x`, token.toUpperCase(), token.slice(0, -1)])
    expect(await errorOf(await readWith(bad))).toEqual(INVALID_TOKEN_ERROR)
  // A bad token is an error on public reads too.
  expect((await request('x', 'GET', '/api/tracks')).status).toBe(401)
  expect((await request(token, 'GET', '/api/tracks')).status).toBe(200)
})

test('stores only a keyed hash', async () => {
  const { token, id } = await newToken(['metrics:read'])
  const [row] = await db.select().from(apiTokens).where(eq(apiTokens.id, id))
  expect(JSON.stringify(row)).not.toContain(token.slice(6, 40))
  expect(row?.hash).toBe(await hashToken(env.SIGNING_SECRET, token))
  expect(row?.hash).not.toBe(await hashToken('another secret of the same length 0123456789', token))
})

test('ignores session cookies beside a token', async () => {
  const { token } = await newToken(['metrics:read'])
  const cookie = `${await cookieHeaderFor('administrator')}; ${await cookieHeaderFor('supporter')}`
  const both = (path: string, bearer = token) =>
    send('GET', path, undefined, { at: NOON, env: UNLIMITED, headers: { cookie, authorization: `Bearer ${bearer}` } })
  expect((await both('/api/admin/overview')).status).toBe(200)
  expect(await statusAndCodeOf(await both('/api/admin/orders'))).toEqual([403, 'scope_required'])
  expect(await statusAndCodeOf(await both('/api/auth/user'))).toEqual([403, 'token_not_allowed'])
  expect((await both('/api/admin/orders', 'x')).status).toBe(401)
  expect(await (await both('/api/leaderboard')).json()).toMatchObject({ me: null })
})

test('ignores other authorization schemes, and tokens on pages', async () => {
  const basic = { at: NOON, headers: { authorization: 'Basic eDp5' } }
  expect((await send('GET', '/api/tracks', undefined, basic)).status).toBe(200)
  expect((await send('GET', '/', undefined, { at: NOON, headers: { authorization: 'Bearer x' } })).status).toBe(200)
})

test('audit entries name the token', async () => {
  const { token, userId } = await newToken(['community:write'])
  const poll = { title: 'Which?', options: [{ title: 'This' }, { title: 'That' }] }
  expect((await request(token, 'POST', '/api/admin/polls', bodyOf('POST /api/admin/polls') ?? poll)).status).toBe(201)
  const entry = await env.DB.prepare(
    "SELECT actor_id AS actorId, detail FROM audit_log WHERE action = 'poll.added' ORDER BY id DESC",
  ).first<{ actorId: number; detail: string }>()
  expect([entry?.actorId, JSON.parse(entry?.detail ?? '{}')]).toEqual([userId, { token: 'Box office' }])
})

test('limits the requests of one token over all routes', async () => {
  const [{ token }, other] = [await newToken(['metrics:read']), await newToken(['metrics:read'])]
  const statuses: number[] = []
  for (let i = 0; i <= limits.apiRequestsPerMinute; i++)
    statuses.push(
      (await request(token, 'GET', i % 2 ? '/api/tracks' : '/api/polls/active', undefined, { env: {} })).status,
    )
  expect(statuses.filter((status) => status === 429)).toHaveLength(1)
  expect((await readWith(other.token, { env: {} })).status).toBe(200)
})

test('serves token requests while their rate limiter fails', async () => {
  const { token } = await newToken(['orders:read'])
  const LIMIT_API = { limit: () => Promise.reject(new Error('down')) }
  expect((await request(token, 'GET', '/api/admin/orders', undefined, { env: { LIMIT_API } })).status).toBe(200)
})

test('limits unknown tokens by address', async () => {
  const { token } = await newToken(['metrics:read'])
  const address = uniqueIp()
  const revoked = await newToken(['metrics:read'])
  await db.delete(apiTokens).where(eq(apiTokens.id, revoked.id))
  const guess = (bearer: string, from = address) =>
    send('GET', '/api/tracks', undefined, {
      at: NOON,
      headers: { authorization: `Bearer ${bearer}`, 'cf-connecting-ip': from },
    })
  const statuses: number[] = []
  for (let i = 0; i <= limits.authPerMinute; i++) statuses.push((await guess(i % 2 ? 'x' : revoked.token)).status)
  expect(statuses).toEqual([...Array<number>(limits.authPerMinute).fill(401), 429])
  expect((await guess('x', uniqueIp())).status).toBe(401)
  // A valid token of that address still works.
  expect((await guess(token)).status).toBe(200)
})

test('records the last use at most every ten minutes', async () => {
  const { token, id } = await newToken(['metrics:read'])
  const used: (number | null | undefined)[] = []
  for (const minutes of [0, 9, 11]) {
    await readWith(token, { at: NOON + minutes * MINUTE_MS })
    used.push((await db.select().from(apiTokens).where(eq(apiTokens.id, id)))[0]?.lastUsedAt)
  }
  expect(used).toEqual([NOON, NOON, NOON + 11 * MINUTE_MS])
})

test('owners create, list and revoke tokens', async () => {
  const headers = { cookie: await cookieHeaderFor('administrator') }
  const draft = { name: 'Sync', scopes: ['orders:read', 'orders:read'], expiresInDays: 7 }
  const created = await send('POST', '/api/admin/api-tokens', draft, { at: NOON, headers })
  const { token, ...shown } = await created.json<{ token: string; id: string }>()
  expect([created.status, shown]).toMatchObject([
    201,
    { name: 'Sync', scopes: ['orders:read'], state: 'active', lastUsedAt: null, hint: token.slice(-4) },
  ])
  const list = await (await send('GET', '/api/admin/api-tokens', undefined, { at: NOON, headers })).text()
  expect(list).toContain(shown.id)
  expect(list).not.toContain(token)
  expect((await request(token, 'GET', '/api/admin/orders')).status).toBe(200)
  const path = `/api/admin/api-tokens/${shown.id}`
  expect((await send('DELETE', path, undefined, { at: NOON, headers })).status).toBe(204)
  expect(await errorOf(await request(token, 'GET', '/api/admin/orders'))).toEqual(INVALID_TOKEN_ERROR)
  expect(await statusAndCodeOf(await send('DELETE', path, undefined, { at: NOON, headers }))).toEqual([
    404,
    'not_found',
  ])
  const actions = await db.all<{ action: string }>(
    sql`SELECT action FROM audit_log WHERE subject = ${`api_token:${shown.id}`} ORDER BY id`,
  )
  expect(actions.map(({ action }) => action)).toEqual(['api_token.created', 'api_token.revoked'])
  for (const bad of [
    { ...draft, scopes: [] },
    { ...draft, scopes: ['team:write'] },
    { ...draft, expiresInDays: 367 },
  ])
    expect((await send('POST', '/api/admin/api-tokens', bad, { at: NOON, headers })).status).toBe(400)
})
