import { env } from 'cloudflare:test'
import { beforeAll, expect, test } from 'vitest'
import { fillPath, send, servedRoutes } from '../testing/client'
import { addUser, fixtureParams, loadFixtures } from '../testing/fixtures'
import { PERMISSIONS } from '../testing/permissions'
import { NOON } from '../testing/seed'
import { cookieHeaderFor, ROLES } from '../testing/users'

beforeAll(loadFixtures)

test('lists every route once', () => {
  const routes = servedRoutes().map(({ method, path }) => `${method} ${path}`)
  expect(Object.keys(PERMISSIONS).sort()).toEqual(routes.sort())
})

/** Administrator writes that change no data here. */
const UNAUDITED = [
  'POST /api/admin/second-factor/begin',
  'POST /api/admin/second-factor/end',
  'POST /api/admin/broadcast-preview',
]
const countAuditEntries = async () =>
  (await env.DB.prepare('SELECT count(*) AS n FROM audit_log').first<{ n: number }>())?.n ?? 0

let requestCount = 0

for (const [route, { body, file, createOwned, ...expected }] of Object.entries(PERMISSIONS))
  test(`${route} responds to each role as listed`, async () => {
    const [method = '', path = ''] = route.split(' ')
    const actual: Record<string, number> = {}
    const { id: owner } = await addUser()
    for (const role of ROLES) {
      const entriesBefore = await countAuditEntries()
      const cookie = await cookieHeaderFor(role, role === 'supporter' ? owner : undefined)
      const headers = { cookie, 'cf-connecting-ip': `198.51.100.${++requestCount}` }
      const params = createOwned ? { id: await createOwned(owner) } : fixtureParams(path)
      const response = await send(method, fillPath(path, params), typeof body === 'function' ? body(role) : body, {
        at: NOON,
        headers: { ...headers, ...(file && { 'content-type': file.type }) },
        raw: file?.bytes,
      })
      actual[role] = response.status
      await response.arrayBuffer()
      const isAdminWrite = role === 'administrator' && response.ok && method !== 'GET' && expected.supporter === 403
      if (isAdminWrite && !UNAUDITED.includes(route))
        expect(await countAuditEntries(), `audit entries of ${route}`).toBe(entriesBefore + 1)
    }
    expect(actual).toEqual(expected)
  })
