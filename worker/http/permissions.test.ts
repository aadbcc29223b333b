import { env } from 'cloudflare:test'
import { beforeAll, expect, test } from 'vitest'
import { SESSION_COOKIE } from '../auth/cookies'
import { createSession } from '../auth/sessions'
import { endpoints } from '../contract'
import type { Assurance, Auth, TeamRole } from '../contract/endpoint'
import { MINUTE_MS } from '../lib/clock'
import { fillPath, send, servedRoutes } from '../testing/client'
import { addUser, fixtureParams, isLongRun, loadFixtures } from '../testing/fixtures'
import { PERMISSIONS } from '../testing/permissions'
import { NOON } from '../testing/seed'
import { cookieHeaderFor, ROLES, type Role } from '../testing/users'

beforeAll(loadFixtures)

test('PERMISSIONS lists every route', () => {
  const routes = servedRoutes().map(({ method, path }) => `${method} ${path}`)
  expect(Object.keys(PERMISSIONS).sort()).toEqual(routes.sort())
})

/** Administrator writes without an audit entry. */
const UNAUDITED = [
  'POST /api/admin/confirm/code',
  'POST /api/admin/second-factor/begin',
  'POST /api/admin/second-factor/end',
  'POST /api/admin/broadcast-preview',
  'POST /api/admin/supporters/:id/include-votes',
  'POST /api/admin/views',
]
const countAuditEntries = async () =>
  (await env.DB.prepare('SELECT count(*) AS n FROM audit_log').first<{ n: number }>())?.n ?? 0

let requestCount = 0
/** Cookies of callers whose last write was rejected: the next write can use them, as it changed nothing. */
const unchangedCallers = new Map<Role, string>()
/** A session cookie for each role. The supporter is a new user, `ownerId`, who owns the resources that tests create. */
async function newCallers() {
  const { id: ownerId } = await addUser()
  const cookies = new Map<Role, string>()
  for (const role of ROLES)
    cookies.set(
      role,
      unchangedCallers.get(role) ?? (await cookieHeaderFor(role, role === 'supporter' ? ownerId : undefined)),
    )
  unchangedCallers.clear()
  return { ownerId, cookies }
}
/** The callers of all reads: reads change nothing, so every test can share them. */
let readers: Awaited<ReturnType<typeof newCallers>>
beforeAll(async () => {
  readers = await newCallers()
})

for (const [route, { assurance: _, body, file, createResource, ...expected }] of Object.entries(PERMISSIONS))
  test(`${route} responds to each role as listed`, async () => {
    const [method = '', path = ''] = route.split(' ')
    const actual: Record<string, number> = {}
    const { ownerId, cookies } = method === 'GET' ? readers : await newCallers()
    for (const role of ROLES) {
      const headers = { cookie: cookies.get(role) ?? '', 'cf-connecting-ip': `198.51.100.${++requestCount}` }
      const params = createResource ? { id: await createResource(ownerId) } : fixtureParams(path)
      const isAdminWrite = role === 'administrator' && method !== 'GET' && expected.supporter === 403
      const entriesBefore = isAdminWrite ? await countAuditEntries() : 0
      const response = await send(method, fillPath(path, params), typeof body === 'function' ? body(role) : body, {
        at: NOON,
        headers: { ...headers, ...(file && { 'content-type': file.type }) },
        raw: file?.bytes,
      })
      actual[role] = response.status
      await response.arrayBuffer()
      if (method !== 'GET' && role !== 'supporter' && [401, 403].includes(response.status))
        unchangedCallers.set(role, cookies.get(role) ?? '')
      if (isAdminWrite && response.ok && !UNAUDITED.includes(route))
        expect(await countAuditEntries(), `audit entries of ${route}`).toBe(entriesBefore + 1)
    }
    expect(actual).toEqual(expected)
  })

/** Callers of every assurance; stale ones authenticated 16 minutes ago. */
const CALLERS: Record<string, { auth: Auth; teamRole?: TeamRole; isStale?: boolean }> = {
  unconfirmed: { auth: 'user' },
  confirmed: { auth: 'confirmed' },
  'stale supporter': { auth: 'confirmed', isStale: true },
  owner: { auth: 'admin', teamRole: 'owner' },
  'stale owner': { auth: 'admin', teamRole: 'owner', isStale: true },
  manager: { auth: 'admin', teamRole: 'manager' },
  editor: { auth: 'admin', teamRole: 'editor' },
  door: { auth: 'admin', teamRole: 'door' },
}
const ASSURANCE_ERRORS = ['confirm_email', 'recent_auth_required', 'role_required']

async function newSessionHeaders({ auth, teamRole, isStale = false }: (typeof CALLERS)[string]) {
  const kind = auth === 'admin' ? 'administrator' : 'supporter'
  const user = await addUser({ role: kind, teamRole, emailVerified: auth !== 'user' })
  const at = isStale ? NOON - 16 * MINUTE_MS : NOON
  const { token } = await createSession(env.SESSIONS, kind, { userId: user.id, epoch: 0 }, at)
  return { cookie: `__Host-${SESSION_COOKIE[kind]}=${token}`, 'cf-connecting-ip': `198.51.100.${++requestCount}` }
}
/** Headers by caller. A write that succeeds may end the session, so the next request starts another. */
const headersByCaller: Record<string, Record<string, string>> = {}

/** The error code of a caller who lacks the assurance. Null if the caller has it, or has a session of another kind. */
function expectedError({ auth, roles, recentAuth }: Assurance, caller: (typeof CALLERS)[string]): string | null {
  if (auth === 'visitor' || (auth === 'admin') !== (caller.auth === 'admin')) return null
  if (roles && !roles.includes(caller.teamRole ?? 'door')) return 'role_required'
  if (auth === 'confirmed' && caller.auth === 'user') return 'confirm_email'
  return recentAuth && caller.isStale ? 'recent_auth_required' : null
}

/** Names of callers and their expected error: all who lack the assurance, and one who has it (at full size, all). */
function callersOf(assurance: Assurance): [string, string | null][] {
  const all = Object.entries(CALLERS).map(([name, caller]) => [name, expectedError(assurance, caller)] as const)
  const firstAllowed = all.findIndex(([, error]) => error === null)
  return all.filter(([, error], index) => isLongRun || error !== null || index === firstAllowed).map((row) => [...row])
}

for (const [route, { assurance, file }] of Object.entries(PERMISSIONS))
  test(`${route} requires its assurance before it validates the body`, async () => {
    const [method = '', path = ''] = route.split(' ')
    const definition = endpoints.find((endpoint) => endpoint.method === method && endpoint.path === path)
    expect(definition).toMatchObject(assurance)
    const expected = callersOf(assurance)
    const errors: [string, string | null][] = []
    for (const [name] of expected) {
      const caller = CALLERS[name]!
      headersByCaller[name] ??= await newSessionHeaders(caller)
      const address = `198.51.100.${++requestCount}`
      const headers = {
        ...headersByCaller[name],
        'cf-connecting-ip': address,
        ...(file && { 'content-type': file.type }),
      }
      const response = await send(method, fillPath(path, 'none'), undefined, { at: NOON, headers })
      await response.arrayBuffer()
      const code = response.headers.get('x-error-code') ?? ''
      if (response.ok && method !== 'GET') delete headersByCaller[name]
      errors.push([name, ASSURANCE_ERRORS.includes(code) ? code : null])
    }
    expect(errors).toEqual(expected)
  })

test('shows lists with addresses to managers, not editors or door', async () => {
  const lists = endpoints.filter(
    ({ method, path, auth }) => method === 'GET' && auth === 'admin' && !path.includes(':'),
  )
  const rolesWithAddresses = new Set<string>()
  for (const teamRole of ['manager', 'editor', 'door'] as const) {
    const headers = await newSessionHeaders({ auth: 'admin', teamRole })
    for (const { path } of lists) {
      const list = await (await send('GET', path, undefined, { at: NOON, headers })).text()
      if (list.includes('@')) rolesWithAddresses.add(teamRole)
    }
  }
  expect([...rolesWithAddresses]).toEqual(['manager'])
})
