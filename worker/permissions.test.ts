import { env } from 'cloudflare:test'
import { beforeAll, expect, test } from 'vitest'
import { send } from './testing/client'
import { fixtureParams, loadFixtures } from './testing/fixtures'
import { ADMIN_PERMISSIONS } from './testing/permissions-admin'
import { PUBLIC_PERMISSIONS } from './testing/permissions-public'
import { cookieHeaderFor, ROLES } from './testing/roles'
import { fillPath, servedRoutes } from './testing/routes'
import { addUser } from './testing/rows'
import { NOON } from './testing/seed'

/** Who may do what. */
const PERMISSIONS = { ...PUBLIC_PERMISSIONS, ...ADMIN_PERMISSIONS }

beforeAll(loadFixtures)

test('every route has its row in the table of permissions, and every row its route', () => {
  expect(Object.keys(PERMISSIONS).sort()).toEqual(
    servedRoutes()
      .map(({ method, path }) => `${method} ${path}`)
      .sort(),
  )
})

/** Acts of an administrator that change nothing yet, or have nothing to change in these people. */
const UNAUDITED = [
  'POST /api/admin/second-factor/begin',
  'POST /api/admin/second-factor/end',
  // A preview stores nothing.
  'POST /api/admin/broadcast-preview',
]
const countAuditEntries = async () =>
  (await env.DB.prepare('SELECT count(*) AS n FROM audit_log').first<{ n: number }>())?.n ?? 0

let requestCount = 0

for (const [route, { body, file, createOwned, ...expected }] of Object.entries(PERMISSIONS))
  test(`${route} answers each role as the table says`, async () => {
    const [method = '', path = ''] = route.split(' ')
    const actual: Record<string, number> = {}
    const { id: owner } = await addUser()
    for (const role of ROLES) {
      const written = await countAuditEntries()
      const cookie = await cookieHeaderFor(role, role === 'supporter' ? owner : undefined)
      const headers = { cookie, 'cf-connecting-ip': `198.51.100.${++requestCount}` }
      const names = createOwned ? { id: await createOwned(owner) } : fixtureParams(path)
      const answer = await send(method, fillPath(path, names), typeof body === 'function' ? body(role) : body, {
        at: NOON,
        headers: { ...headers, ...(file && { 'content-type': file.type }) },
        raw: file?.bytes,
      })
      actual[role] = answer.status
      await answer.arrayBuffer()
      const act = role === 'administrator' && answer.ok && method !== 'GET' && expected.supporter === 403
      if (act && !UNAUDITED.includes(route))
        expect(await countAuditEntries(), `${route} in the audit log`).toBe(written + 1)
    }
    expect(actual).toEqual(expected)
  })
