import { env } from 'cloudflare:test'
import { beforeAll, expect, test } from 'vitest'
import { send } from './testing/client'
import { furnish, NOON } from './testing/furnish'
import { servedRoutes } from './testing/routes'

/** How somebody asks: the cookies that make them who they are. A column of the table below for each. */
const AS = { visitor: {} } satisfies Record<string, Record<string, string>>
type Role = keyof typeof AS

type Row = { path?: string; body?: unknown; answers: Record<Role, number> }

/** Who may do what, by route: what each role is answered when everything else about the request is right. */
const TABLE: Record<string, Row> = {
  'GET /api/config': { answers: { visitor: 200 } },
  'GET /sitemap.xml': { answers: { visitor: 200 } },
  'GET /robots.txt': { answers: { visitor: 200 } },
  'GET /manifest.webmanifest': { answers: { visitor: 200 } },
  'GET /healthz': { answers: { visitor: 200 } },
  'GET /media/:folder/:name': { path: '/media/any/hero.webp', answers: { visitor: 200 } },
  'GET /api/tracks': { answers: { visitor: 200 } },
}

beforeAll(() => furnish(env.DB))

test('every route has its row in the table of permissions, and every row its route', () => {
  expect(Object.keys(TABLE).sort()).toEqual(
    servedRoutes()
      .map(({ method, path }) => `${method} ${path}`)
      .sort(),
  )
})

for (const [route, { path, body, answers }] of Object.entries(TABLE))
  for (const [role, status] of Object.entries(answers))
    test(`${route} answers ${status} to a ${role}`, async () => {
      const [method = '', pattern = ''] = route.split(' ')
      const answer = await send(method, path ?? pattern, body, { at: NOON, headers: AS[role as Role] })
      await answer.body?.cancel()
      expect(answer.status).toBe(status)
    })
