import { env } from 'cloudflare:test'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import type { AdminSupporter } from '../contract/admin'
import type { SavedView } from '../contract/saved-views'
import { HOUR_MS } from '../lib/clock'
import { readPages, send, statusAndCodeOf } from '../testing/client'
import { addUser, db, queryPlan } from '../testing/fixtures'
import { NOON, seedSite } from '../testing/seed'
import { cookieHeaderFor } from '../testing/users'
import { supporterList } from '../users/admin-list'
import { listStatement } from './list'

let cookie = ''
beforeAll(async () => {
  await seedSite(env.DB)
  cookie = await cookieHeaderFor('administrator')
  for (let i = 0; i < 130; i++)
    await addUser({
      username: `fan-${i}`,
      email: `fan${i}@mail.example`,
      tier: i % 10 === 0 ? 'gold' : 'bronze',
      points: i % 7,
      createdAt: Date.parse('2026-03-01T00:00:00Z') + i * HOUR_MS,
      bannedAt: i === 5 ? 1 : null,
    })
})
const options = () => ({ at: NOON, headers: { cookie } })
const getSupporters = (query: string) => send('GET', `/api/admin/supporters${query}`, undefined, options())
const readAll = async (query: string) =>
  (await readPages<AdminSupporter>(`/api/admin/supporters${query}`, options())).flat()
const linkOf = (response: Response, relation: 'next' | 'prev') =>
  new RegExp(`<([^>]+)>; rel="${relation}"`).exec(response.headers.get('link') ?? '')?.[1]
const namesIn = async (response: Response) => (await response.json<AdminSupporter[]>()).map(({ username }) => username)

test('pages in both directions, also over equal sort keys', async () => {
  const rows = await readAll('?sort=-points')
  expect(new Set(rows.map(({ id }) => id)).size).toBe(130)
  expect(rows.map(({ points }) => points)).toEqual(rows.map(({ points }) => points).sort((a, b) => b - a))
  const first = await getSupporters('?sort=-points')
  expect(linkOf(first, 'prev')).toBeUndefined()
  const second = await send('GET', linkOf(first, 'next') ?? '', undefined, options())
  const third = await send('GET', linkOf(second, 'next') ?? '', undefined, options())
  expect(linkOf(third, 'next')).toBeUndefined()
  const secondAgain = await send('GET', linkOf(third, 'prev') ?? '', undefined, options())
  expect(await namesIn(secondAgain)).toEqual(await namesIn(second))
  const firstAgain = await send('GET', linkOf(secondAgain, 'prev') ?? '', undefined, options())
  expect(linkOf(firstAgain, 'prev')).toBeUndefined()
  expect(await namesIn(firstAgain)).toEqual(await namesIn(first))
})

test('combines search, filters and sort', async () => {
  expect((await readAll('?tier=gold')).length).toBe(13)
  expect((await readAll('?tier=gold,bronze')).length).toBe(130)
  expect((await readAll('?state=banned')).map(({ username }) => username)).toEqual(['fan-5'])
  expect((await readAll('?q=fan-1&tier=gold&sort=name')).map(({ username }) => username)).toEqual([
    'fan-10',
    'fan-100',
    'fan-110',
    'fan-120',
  ])
  expect((await readAll('?joined=2026-03-02..2026-03-02')).length).toBe(24)
  // The artist’s March 1 ends at 5 AM in UTC.
  expect((await readAll('?joined=..2026-03-01')).length).toBe(29)
})

test.each([
  '?tier=platinum',
  '?tier=',
  '?color=red',
  '?constructor=1',
  '?sort=constructor',
  '?sort=email',
  '?sort=-',
  '?joined=..',
  '?joined=2026-13-01..',
  '?joined=yesterday',
  '?cursor=x',
  '?cursor=after.~5B1~5D',
  '?cursor=after.~5Bnull~2C1~5D',
  '?cursor=before.~5B~5B~5D~2C1~5D',
  '?cursor=after.~ZZ',
])('rejects the query %s', async (query) => {
  expect(await statusAndCodeOf(await getSupporters(query))).toEqual([400, 'bad_input'])
})

test('responds 200 or 400 to any query', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.dictionary(fc.constantFrom('q', 'sort', 'cursor', 'tier', 'joined', 'other'), fc.string({ maxLength: 40 })),
      async (query) => {
        expect([200, 400]).toContain((await getSupporters(`?${new URLSearchParams(query)}`)).status)
      },
    ),
    { numRuns: 60 },
  )
})

test('uses an index for each sort', async () => {
  for (const sort of ['joined', '-joined', 'name', '-points', 'points', '-seen']) {
    const query = { q: '', sort, cursor: 'after.~5B5~2C5~5D', filters: {} }
    const plan = await queryPlan(db.run(listStatement(supporterList, query)).getQuery())
    // SQLite may sort rows with equal keys by id, the LAST TERM.
    expect([sort, plan.filter((step) => /TEMP B-TREE/.test(step) && !/LAST TERM/.test(step))]).toEqual([sort, []])
  }
})

test('saves, replaces and deletes an admin’s own views', async () => {
  const listViews = async (headers = { cookie }) =>
    (await send('GET', '/api/admin/views?list=supporters', undefined, { at: NOON, headers })).json<SavedView[]>()
  const save = (name: string, search: string) =>
    send('POST', '/api/admin/views', { list: 'supporters', name, search }, options())
  await save('Gold', '?tier=gold')
  const saved = (await (await save('Gold', '?tier=gold&sort=-points')).json()) as SavedView
  expect(await listViews()).toEqual([
    { id: saved.id, list: 'supporters', name: 'Gold', search: '?tier=gold&sort=-points' },
  ])
  const other = { cookie: await cookieHeaderFor('administrator', (await addUser({ role: 'administrator' })).id) }
  expect(await listViews(other)).toEqual([])
  const remove = (headers: { cookie: string }) =>
    send('DELETE', `/api/admin/views/${saved.id}`, undefined, { at: NOON, headers })
  expect((await remove(other)).status).toBe(404)
  expect((await remove({ cookie })).status).toBe(204)
  // A list has at most twenty views of one admin; replacing one is always possible.
  for (let i = 0; i < 20; i++) expect((await save(`View ${i}`, '')).status).toBe(200)
  expect(await statusAndCodeOf(await save('One more', ''))).toEqual([409, 'conflict'])
  expect((await save('View 3', '?q=x')).status).toBe(200)
  // A view cannot contain an email address, because erasures do not search views.
  expect(await statusAndCodeOf(await save('View 3', '?q=fan%40mail.example'))).toEqual([400, 'bad_input'])
})
