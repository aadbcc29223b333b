import { env } from 'cloudflare:test'
import { beforeAll, expect, test } from 'vitest'
import { send } from './testing/client'
import { fullHouse, namesFor } from './testing/full-house'
import { NOON } from './testing/furnish'
import { DESK } from './testing/permissions-desk'
import { FANS } from './testing/permissions-fans'
import { cookiesOf, ROLES } from './testing/roles'
import { fill, servedRoutes } from './testing/routes'
import { addUser } from './testing/rows'

/** Who may do what. */
const TABLE = { ...FANS, ...DESK }

beforeAll(fullHouse)

test('every route has its row in the table of permissions, and every row its route', () => {
  expect(Object.keys(TABLE).sort()).toEqual(
    servedRoutes()
      .map(({ method, path }) => `${method} ${path}`)
      .sort(),
  )
})

/** Acts of an administrator that change nothing yet, or have nothing to change in these people. */
const UNWRITTEN = [
  'POST /api/admin/second-factor/begin',
  'POST /api/admin/second-factor/end',
  // A preview stores nothing.
  'POST /api/admin/broadcast-preview',
]
const acts = async () => (await env.DB.prepare('SELECT count(*) AS n FROM audit_log').first<{ n: number }>())?.n ?? 0

let asked = 0

for (const [route, { body, file, own, ...answers }] of Object.entries(TABLE))
  test(`${route} answers each role as the table says`, async () => {
    const [method = '', path = ''] = route.split(' ')
    const given: Record<string, number> = {}
    const { id: owner } = await addUser()
    for (const role of ROLES) {
      const written = await acts()
      const cookie = await cookiesOf(role, role === 'supporter' ? owner : undefined)
      const headers = { cookie, 'cf-connecting-ip': `198.51.100.${++asked}` }
      const names = own ? { id: await own(owner) } : namesFor(path)
      const answer = await send(method, fill(path, names), typeof body === 'function' ? body(role) : body, {
        at: NOON,
        headers: { ...headers, ...(file && { 'content-type': file.type }) },
        raw: file?.bytes,
      })
      given[role] = answer.status
      await answer.arrayBuffer()
      const act = role === 'administrator' && answer.ok && method !== 'GET' && answers.supporter === 403
      if (act && !UNWRITTEN.includes(route)) expect(await acts(), `${route} in the audit log`).toBe(written + 1)
    }
    expect(given).toEqual(answers)
  })
