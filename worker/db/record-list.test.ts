import { env } from 'cloudflare:test'
import { beforeAll, expect, test } from 'vitest'
import type { AdminConcert, AdminMission, AdminTrack } from '../contract/admin-content'
import { errorCodeOf, readPages, send } from '../testing/client'
import { loadFixtures } from '../testing/fixtures'
import { NOON } from '../testing/seed'
import { cookieHeaderFor } from '../testing/users'

let cookie = ''
beforeAll(async () => {
  await loadFixtures()
  cookie = await cookieHeaderFor('administrator')
  const numbers = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)'
  await env.DB.prepare(
    `INSERT INTO missions (id, title, description, points, action, target, position, is_active)
     ${numbers} SELECT 'm' || i, 'Mission ' || i, 'Do it', i, 'poll_vote', 1, 61 - i, i > 5 FROM n`,
  ).run()
})
const get = (path: string) => send('GET', path, undefined, { at: NOON, headers: { cookie } })
const readAll = <Row>(path: string) => readPages<Row>(path, { at: NOON, headers: { cookie } })

test('pages records in order, with active missions first', async () => {
  const pages = await readAll<AdminMission>('/api/admin/missions')
  const added = pages.flat().filter(({ id }) => id.startsWith('m'))
  expect(pages[0]).toHaveLength(50)
  expect(added.map(({ isActive }) => isActive)).toEqual([...Array(55).fill(true), ...Array(5).fill(false)])
  expect(added.map(({ id }) => id)).toEqual(Array.from({ length: 60 }, (_, i) => `m${60 - i}`))
})

test('filters and sorts records', async () => {
  const ended = (await readAll<AdminMission>('/api/admin/missions?state=ended&sort=points')).flat()
  expect(ended.map(({ points }) => points)).toEqual([1, 2, 3, 4, 5])
  expect((await readAll<AdminMission>('/api/admin/missions?q=mission%206')).flat().map(({ id }) => id)).toEqual([
    'm60',
    'm6',
  ])
})

test('finds one record by its id', async () => {
  const [track] = await (await get('/api/admin/tracks')).json<AdminTrack[]>()
  const found = await (await get(`/api/admin/tracks?id=${track?.id}`)).json<AdminTrack[]>()
  expect(found).toEqual([track])
  expect(await (await get('/api/admin/tracks?id=none')).json()).toEqual([])
})

test('separates upcoming shows from past ones', async () => {
  const shows = (await readAll<AdminConcert>('/api/admin/concerts')).flat()
  const upcoming = (await readAll<AdminConcert>('/api/admin/concerts?time=upcoming')).flat()
  const past = (await readAll<AdminConcert>('/api/admin/concerts?time=past')).flat()
  expect([...upcoming, ...past].map(({ id }) => id)).toEqual(shows.map(({ id }) => id))
  expect(upcoming.length).toBeGreaterThan(0)
  expect(past.every(({ date }) => Date.parse(`${date}T00:00:00Z`) < NOON)).toBe(true)
})

test.each([
  'tracks?state=secret',
  'releases?kind=tape',
  'products?sort=price_cents',
  'social-posts?color=red',
  'shipping-zones?kind=',
  'tax-rates?sort=-',
])('rejects %s', async (query) => {
  expect(await errorCodeOf(await get(`/api/admin/${query}`))).toEqual([400, 'bad_input'])
})
