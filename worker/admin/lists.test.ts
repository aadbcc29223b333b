import { env } from 'cloudflare:test'
import { beforeAll, expect, test } from 'vitest'
import type { AdminPoll, AdminSubscriber } from '../contract/admin'
import { DAY_MS } from '../lib/clock'
import { errorOf, send } from '../testing/client'
import { loadFixtures, queryPlan } from '../testing/fixtures'
import { NOON } from '../testing/seed'
import { spyOnD1 } from '../testing/stores'
import { cookieHeaderFor } from '../testing/users'
import { SUBSCRIBERS_BY_EMAIL } from './lists'

let cookie = ''
beforeAll(async () => {
  await loadFixtures()
  cookie = await cookieHeaderFor('administrator')
  const numbers = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 120)'
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO subscribers (id, email, email_key, state, consent_version, consent_at, city, created_at)
       ${numbers} SELECT 'r' || i, 'Reader' || i || '@fan.example', 'reader' || i || '@fan.example',
         CASE i % 3 WHEN 0 THEN 'pending' WHEN 1 THEN 'confirmed' ELSE 'unsubscribed' END, '1', 0, iif(i = 1, 'Tulsa', NULL), i FROM n`,
    ),
    // The same number of people in each city: the order within stands by name.
    env.DB.prepare(
      `INSERT INTO city_requests (city_key, requester, city, created_at) ${numbers} SELECT 'city ' || i, 'x', 'City ' || i, 0 FROM n`,
    ),
    env.DB.prepare(
      `INSERT INTO city_requests (city_key, requester, city, created_at) VALUES
         ('são paulo, ''the'' %_', 'x', 'São Paulo, ''the'' %_', 0), ('são paulo, ''the'' %_', 'y', 'SÃO PAULO', 0)`,
    ),
  ])
})
const get = (path: string) => send('GET', path, undefined, { at: NOON, headers: { cookie } })
async function all<Row>(path: string): Promise<Row[][]> {
  const pages: Row[][] = []
  for (let next: string | undefined = path; next; ) {
    const answer = await get(next)
    pages.push(await answer.json<Row[]>())
    next = /<([^>]+)>/.exec(answer.headers.get('link') ?? '')?.[1]
  }
  return pages
}

test('the newsletter is listed newest first, fifty a page, each address once and none of them whole', async () => {
  const pages = await all<AdminSubscriber>('/api/admin/newsletter')
  const rows = pages.flat()
  expect(pages.map(({ length }) => length)).toEqual([50, 50, 20])
  expect(rows.map(({ id }) => id)).toEqual(Array.from({ length: 120 }, (_, i) => `r${120 - i}`))
  expect(rows.at(-1)).toEqual({
    id: 'r1',
    email: 'R…@fan.example',
    state: 'confirmed',
    city: 'Tulsa',
    joinedAt: new Date(1).toISOString(),
  })
  expect(JSON.stringify(rows)).not.toMatch(/reader\d/i)
})

test.each([
  ['READER11', 11],
  ['reader120@fan.example', 1],
  ['eader', 0],
  ['%', 0],
  ["' OR 1=1 --", 0],
  ['x'.repeat(150), 0],
])('of the newsletter %j finds %i', async (q, found) => {
  expect((await all(`/api/admin/newsletter?q=${encodeURIComponent(q)}`)).flat()).toHaveLength(found)
})

test('a search for an address goes by its index', async () => {
  const plan = await queryPlan({ sql: SUBSCRIBERS_BY_EMAIL, params: [10, 'a'] })
  expect(plan.join('\n')).toMatch(/SEARCH subscribers USING (INDEX|INTEGER PRIMARY KEY)/)
})

test('cities are listed by how many people want them, each once over all pages, whatever their names hold', async () => {
  const pages = await all<{ city: string; people: number }>('/api/admin/city-demand')
  const rows = pages.flat()
  expect(pages.map(({ length }) => length)).toEqual([50, 50, 21])
  expect(rows[0]).toEqual({ city: "São Paulo, 'the' %_", people: 2 })
  expect(new Set(rows.map(({ city }) => city)).size).toBe(121)
  expect((await all('/api/admin/city-demand?q=CITY%2012')).flat()).toHaveLength(2)
  expect((await all('/api/admin/city-demand?q=%25_')).flat()).toHaveLength(1)
})

test('polls are listed with their counts and what became of them', async () => {
  await env.DB.batch([
    env.DB.prepare("INSERT INTO polls (id, title, ends_at, created_at) VALUES ('over', 'Done?', ?1, 0)").bind(NOON),
    env.DB.prepare(
      "INSERT INTO polls (id, title, ends_at, created_at, hidden_at) VALUES ('gone', 'Rude?', ?1, 0, 1)",
    ).bind(NOON + DAY_MS),
  ])
  const rows = (await all<AdminPoll>('/api/admin/polls')).flat()
  expect(rows.map(({ id, state, votes }) => [id, state, votes])).toEqual([
    ['gone', 'hidden', 0],
    ['over', 'closed', 0],
    ['1', 'open', 1],
  ])
  expect((await all<AdminPoll>('/api/admin/polls?q=RUDE')).flat().map(({ id }) => id)).toEqual(['gone'])
})

const polls = (from: number, to: number, title: string) =>
  env.DB.prepare(
    `INSERT INTO polls (id, title, ends_at, created_at)
     WITH RECURSIVE n(i) AS (SELECT ?1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
     SELECT 'p' || i, ${title}, ?3 + (i * 7919) % 10007, 0 FROM n`,
  )
    .bind(from, to, NOON)
    .run()
const titles = async (query: string) =>
  (await all<AdminPoll>(`/api/admin/polls${query}`)).flat().map(({ title }) => title)

test('polls are sorted by title or by their end, either way, each once over all pages', async () => {
  await polls(1, 120, "iif(i % 2, 'b', 'B') || printf('%03d', i / 2)")
  const rows = (await all<AdminPoll>('/api/admin/polls?sort=ends')).flat()
  expect(rows.map(({ endDate }) => endDate)).toEqual(rows.map(({ endDate }) => endDate).sort())
  expect(new Set(rows.map(({ id }) => id)).size).toBe(123)
  expect((await all<AdminPoll>('/api/admin/polls?sort=-ends')).flat().map(({ id }) => id)).toEqual(
    rows.map(({ id }) => id).reverse(),
  )
  const byTitle = await titles('?sort=title&q=B0')
  expect(byTitle.map((one) => one.toLowerCase())).toEqual(
    Array.from({ length: 120 }, (_, i) => `b${String(Math.floor((i + 1) / 2)).padStart(3, '0')}`).sort(),
  )
  expect(await titles('?sort=-title&q=b0')).toEqual(byTitle.reverse())
  expect(await titles('?sort=-title&q=B01')).toHaveLength(20)
})

test.each([
  ['polls', 'votes'],
  ['polls', '-'],
  ['polls', ''],
  ['polls', "title' --"],
  ['supporters', 'password_hash'],
  ['newsletter', 'email'],
  ['audit', 'at'],
])('a list of %s is not sorted by %j', async (list, sort) => {
  expect((await errorOf(await get(`/api/admin/${list}?sort=${encodeURIComponent(sort)}`))).slice(0, 2)).toEqual([
    400,
    'bad_input',
  ])
})

test('a poll is found by what its title holds, whatever that is, and by its newest words alone', async () => {
  await env.DB.prepare("UPDATE polls SET title = 'Half \"price\", 50%_off? Größer' WHERE id = 'gone'").run()
  for (const q of ['"price"', '50%_', 'HALF', 'größ', 'f "pr', 'ha'])
    expect(await titles(`?q=${encodeURIComponent(q)}`)).toEqual(['Half "price", 50%_off? Größer'])
  for (const q of ['RUDE', '%%%', '*', 'title:half', 'NOT half', 'x'.repeat(150)])
    expect(await titles(`?q=${encodeURIComponent(q)}`)).toEqual([])
})

test('a list of polls and its search read no more rows in a house with fifty times as many', async () => {
  const few = await readsOfEach()
  await polls(1_000, 7_000, "'Which song number ' || i")
  const many = await readsOfEach()
  expect(Math.min(...Object.values(few))).toBeGreaterThan(0)
  expect(Object.entries(many).filter(([query, rows]) => !(rows <= 1.2 * (few[query] ?? 0)))).toEqual([])
})

/** Rows that D1 read for a page of each kind, the second one where the first has filled. */
async function readsOfEach(): Promise<Record<string, number>> {
  const read: Record<string, number> = {}
  for (const query of ['?', '?sort=ends', '?sort=-title', '?q=price', '?q=price&sort=ends', '?q=ha&sort=title']) {
    let cursor = ''
    for (const page of [1, 2]) {
      const { DB, rowsRead } = spyOnD1(env.DB)
      const answer = await send('GET', `/api/admin/polls${query}${cursor}`, undefined, {
        at: NOON,
        headers: { cookie },
        env: { DB },
      })
      read[`${query} ${page}`] = rowsRead()
      const next = /cursor=([^&>]+)/.exec(answer.headers.get('link') ?? '')?.[1]
      if (next === undefined) break
      cursor = `&cursor=${next}`
    }
  }
  return read
}

test.each(['newsletter', 'city-demand', 'polls'])('a page of %s that nobody gave is refused', async (list) => {
  for (const cursor of ['x', '1', '-1.2', "1.'", '1.2.3'])
    expect((await errorOf(await get(`/api/admin/${list}?cursor=${encodeURIComponent(cursor)}`))).slice(0, 2)).toEqual([
      400,
      'bad_input',
    ])
})
