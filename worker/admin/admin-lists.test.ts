import { env } from 'cloudflare:test'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { verseSubmissions } from '../challenge/challenge.table'
import { endpoints } from '../contract'
import type { AdminPoll, AdminSubscriber } from '../contract/admin'
import type { AdminConcert, AdminTrack } from '../contract/admin-content'
import type { AdminMission } from '../contract/admin-missions'
import { listStatement } from '../db/list'
import { enqueueEmail } from '../email/outbox'
import { privacyInquiries } from '../gdpr/inquiries.table'
import { contacts, imports } from '../imports/imports.table'
import { DAY_MS } from '../lib/clock'
import { subscriberList } from '../newsletter/admin-list'
import { subscribers } from '../newsletter/newsletter.table'
import { readPages, send, statusAndCodeOf } from '../testing/client'
import { addUser, db, loadFixtures, queryPlan } from '../testing/fixtures'
import { addOrder, addProduct } from '../testing/payments'
import { NOON } from '../testing/seed'
import { spyOnD1 } from '../testing/stores'
import { cookieHeaderFor } from '../testing/users'

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
    // Equal counts: pages must split rows with the same sort key.
    env.DB.prepare(
      `INSERT INTO city_requests (city_key, requester, city, created_at, confirmed_at) ${numbers} SELECT 'city ' || i, 'x', 'City ' || i, 0, 0 FROM n`,
    ),
    env.DB.prepare(
      `INSERT INTO city_requests (city_key, requester, city, created_at, confirmed_at) VALUES
         ('são paulo, ''the'' %_', 'x', 'São Paulo, ''the'' %_', 0, 0), ('são paulo, ''the'' %_', 'y', 'SÃO PAULO', 0, 0)`,
    ),
    env.DB.prepare(
      `INSERT INTO missions (id, title, description, points, action, target, position, is_active)
       WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)
       SELECT 'm' || i, 'Mission ' || i, 'Do it', i, 'poll_vote', 1, 61 - i, i > 5 FROM n`,
    ),
  ])
})
const get = (path: string) => send('GET', path, undefined, { at: NOON, headers: { cookie } })
const readAll = <Row>(path: string) => readPages<Row>(path, { at: NOON, headers: { cookie } })
/** Admin endpoints that read, without path parameters. */
const adminReads = endpoints.filter(
  ({ auth, method, path }) => auth === 'admin' && method === 'GET' && !path.includes(':'),
)

test('lists subscribers newest first with masked emails', async () => {
  const pages = await readAll<AdminSubscriber>('/api/admin/newsletter')
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
  ['READER120@fan.example', 1],
  ['READER11', 0],
  ['%', 0],
  ["' OR 1=1 --", 0],
  ['x'.repeat(150), 0],
])('subscriber search %j finds %i', async (q, found) => {
  expect((await readAll(`/api/admin/newsletter?q=${encodeURIComponent(q)}`)).flat()).toHaveLength(found)
})

test('uses an index to search subscribers', async () => {
  const query = { q: 'abc', sort: null, cursor: null, filters: {} }
  const plan = await queryPlan(db.run(listStatement(subscriberList, query)).getQuery())
  expect(plan.join('\n')).toMatch(/SEARCH subscribers USING (INDEX|INTEGER PRIMARY KEY)/)
})

test('lists requested cities by number of requests', async () => {
  const pages = await readAll<{ city: string; people: number }>('/api/admin/city-demand')
  const rows = pages.flat()
  expect(pages.map(({ length }) => length)).toEqual([50, 50, 21])
  expect(rows[0]).toEqual({ city: "São Paulo, 'the' %_", people: 2 })
  expect(new Set(rows.map(({ city }) => city)).size).toBe(121)
  expect((await readAll('/api/admin/city-demand?q=CITY%2012')).flat()).toHaveLength(2)
  expect((await readAll('/api/admin/city-demand?q=%25_')).flat()).toHaveLength(1)
})

test('lists polls with votes and state', async () => {
  await env.DB.batch([
    env.DB.prepare("INSERT INTO polls (id, title, ends_at, created_at) VALUES ('over', 'Done?', ?1, 0)").bind(NOON),
    env.DB.prepare(
      "INSERT INTO polls (id, title, ends_at, created_at, hidden_at) VALUES ('gone', 'Rude?', ?1, 0, 1)",
    ).bind(NOON + DAY_MS),
  ])
  const rows = (await readAll<AdminPoll>('/api/admin/polls')).flat()
  expect(rows.map(({ id, state, votes }) => [id, state, votes])).toEqual([
    ['gone', 'hidden', 0],
    ['over', 'closed', 0],
    ['1', 'open', 1],
  ])
  expect((await readAll<AdminPoll>('/api/admin/polls?q=RUDE')).flat().map(({ id }) => id)).toEqual(['gone'])
})

/** Adds polls whose ends are not in the order of their ids; `titleSql` is an expression of the number `i`. */
const addPolls = (from: number, to: number, titleSql: string) =>
  env.DB.prepare(
    `INSERT INTO polls (id, title, ends_at, created_at)
     WITH RECURSIVE n(i) AS (SELECT ?1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
     SELECT 'p' || i, ${titleSql}, ?3 + (i * 7919) % 10007, 0 FROM n`,
  )
    .bind(from, to, NOON)
    .run()
const titles = async (query: string) =>
  (await readAll<AdminPoll>(`/api/admin/polls${query}`)).flat().map(({ title }) => title)

test('sorts polls by title or end across pages', async () => {
  await addPolls(1, 120, "iif(i % 2, 'b', 'B') || printf('%03d', i / 2)")
  const rows = (await readAll<AdminPoll>('/api/admin/polls?sort=ends')).flat()
  expect(rows.map(({ endDate }) => endDate)).toEqual(rows.map(({ endDate }) => endDate).sort())
  expect(new Set(rows.map(({ id }) => id)).size).toBe(123)
  expect((await readAll<AdminPoll>('/api/admin/polls?sort=-ends')).flat().map(({ id }) => id)).toEqual(
    rows.map(({ id }) => id).reverse(),
  )
  const byTitle = await titles('?sort=title&q=B0')
  expect(byTitle.map((title) => title.toLowerCase())).toEqual(
    Array.from({ length: 120 }, (_, i) => `b${String(Math.floor((i + 1) / 2)).padStart(3, '0')}`).sort(),
  )
  expect(await titles('?sort=-title&q=b0')).toEqual(byTitle.reverse())
  expect(await titles('?sort=-title&q=B01')).toHaveLength(20)
})

test.each([
  ['polls', 'votes'],
  ['tracks', 'lyrics'],
  ['concerts', 'address'],
  ['polls', '-'],
  ['polls', ''],
  ['polls', "title' --"],
  ['supporters', 'password_hash'],
  ['newsletter', 'email'],
  ['audit', 'at'],
])('rejects sorting %s by %j', async (list, sort) => {
  expect(await statusAndCodeOf(await get(`/api/admin/${list}?sort=${encodeURIComponent(sort)}`))).toEqual([
    400,
    'bad_input',
  ])
})

test('finds polls by their current title', async () => {
  await env.DB.prepare("UPDATE polls SET title = 'Half \"price\", 50%_off? Größer' WHERE id = 'gone'").run()
  for (const q of ['"price"', '50%_', 'HALF', 'größ', 'f "pr', 'ha'])
    expect(await titles(`?q=${encodeURIComponent(q)}`)).toEqual(['Half "price", 50%_off? Größer'])
  for (const q of ['RUDE', '%%%', '*', 'title:half', 'NOT half', 'x'.repeat(150)])
    expect(await titles(`?q=${encodeURIComponent(q)}`)).toEqual([])
})

test('reads no more rows with fifty times as many polls', async () => {
  const before = await measureRowsRead()
  await addPolls(1_000, 7_000, "'Which song number ' || i")
  const after = await measureRowsRead()
  expect(Math.min(...Object.values(before))).toBeGreaterThan(0)
  expect(Object.entries(after).filter(([query, rows]) => rows > 1.2 * (before[query] ?? 0))).toEqual([])
})

/** Rows read by D1 for the first two pages of each query. */
async function measureRowsRead(): Promise<Record<string, number>> {
  const rowsReadByQuery: Record<string, number> = {}
  for (const query of ['?', '?sort=ends', '?sort=-title', '?q=price', '?q=price&sort=ends', '?q=ha&sort=title']) {
    let cursor = ''
    for (const page of [1, 2]) {
      const spy = spyOnD1(env.DB)
      const response = await send('GET', `/api/admin/polls${query}${cursor}`, undefined, {
        at: NOON,
        headers: { cookie },
        env: { DB: spy.DB },
      })
      rowsReadByQuery[`${query} ${page}`] = spy.rowsRead()
      const next = /cursor=([^&>]+)/.exec(response.headers.get('link') ?? '')?.[1]
      if (next === undefined) break
      cursor = `&cursor=${next}`
    }
  }
  return rowsReadByQuery
}

test.each(['newsletter', 'city-demand', 'polls', 'tracks', 'exports'])(
  'rejects invalid cursors of %s',
  async (list) => {
    for (const cursor of ['x', '1', '-1.2', "1.'", '1.2.3'])
      expect(await statusAndCodeOf(await get(`/api/admin/${list}?cursor=${encodeURIComponent(cursor)}`))).toEqual([
        400,
        'bad_input',
      ])
  },
)

test('answers 400 for control characters in any query parameter', async () => {
  expect(adminReads.length).toBeGreaterThan(15)
  for (const { path } of adminReads)
    for (const query of ["q=ab_'%00", 'q=%00', 'cursor=%00', 'status=a%0Ab', 'sort=%1f'])
      expect([path, query, ...(await statusAndCodeOf(await get(`${path}?${query}`)))]).toEqual([
        path,
        query,
        400,
        'bad_input',
      ])
})

test('finds no record by part of an email address', async () => {
  const email = 'hidden.mailbox@secret.example'
  const hidden = { email, emailKey: email }
  const { id: requestedBy } = await addUser({ ...hidden, username: 'plain-name' })
  const file = { id: 'i', fileName: 'a.csv', headers: [], mapping: {}, requestedBy }
  await db.update(verseSubmissions).set({ email })
  await db
    .insert(privacyInquiries)
    .values({ ...hidden, id: 'i', kind: 'access', message: 'Hi', createdAt: 0, dueAt: 9 })
  await db.batch([
    db.insert(imports).values({ ...file, state: 'uploaded', createdAt: 0, updatedAt: 0 }),
    db.insert(contacts).values({ ...hidden, id: 'c', source: 'mailchimp', importId: 'i', createdAt: 0 }),
    db.insert(subscribers).values({ ...hidden, id: 'h', consentVersion: '1', consentAt: 0, createdAt: 500 }),
  ])
  const text = { kind: 'verify', subject: 'A note', text: 'Note', html: 'Note' } as const
  await enqueueEmail(env.DB, { to: email, email: text, dedupeKey: 'h', at: NOON }).run()
  await addOrder({ id: 'o', productId: await addProduct(9), status: 'paid', paidAt: NOON, email })
  const found: string[] = []
  for (const { path } of adminReads) {
    const read = async (q: string) => (await get(`${path}?q=${encodeURIComponent(q)}`)).text()
    const emptyResult = await read('nobody@nowhere.example')
    for (const part of ['hidd', 'hidden', 'idden.mail', 'hidden.mailbox@', '@secret', 'hidden.mailbox@secret.exampl'])
      expect([path, part, await read(part)]).toEqual([path, part, emptyResult])
    if ((await read(email.toUpperCase())) !== emptyResult) found.push(path.replace('/api/admin/', ''))
  }
  // Only a whole address finds something, and only here.
  const adminPaths = ['contacts', 'mail', 'newsletter', 'orders', 'search', 'supporters']
  expect(found.sort()).toEqual(['/api/verse-submissions', ...adminPaths])
})

test.each(['supporters', 'polls', 'orders', 'mail', 'audit', 'newsletter', 'tracks', 'tax-rates'])(
  'searching %s for any text never fails',
  async (list) => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 40 }), async (text) => {
        const response = await get(`/api/admin/${list}?q=${encodeURIComponent(text)}`)
        expect([200, 400]).toContain(response.status)
      }),
      { numRuns: 40 },
    )
  },
)

test('lists missions in order across pages, active ones first', async () => {
  const pages = await readAll<AdminMission>('/api/admin/missions')
  const added = pages.flat().filter(({ id }) => id.startsWith('m'))
  expect(pages[0]).toHaveLength(50)
  expect(added.map(({ isActive }) => isActive)).toEqual([...Array(55).fill(true), ...Array(5).fill(false)])
  expect(added.map(({ id }) => id)).toEqual(Array.from({ length: 60 }, (_, i) => `m${60 - i}`))
})

test('filters and sorts missions', async () => {
  const ended = (await readAll<AdminMission>('/api/admin/missions?state=ended&sort=points')).flat()
  expect(ended.map(({ points }) => points)).toEqual([1, 2, 3, 4, 5])
  expect((await readAll<AdminMission>('/api/admin/missions?q=mission%206')).flat().map(({ id }) => id)).toEqual([
    'm60',
    'm6',
  ])
})

test('finds one track by its id', async () => {
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

test('finds as sold out only shows that visitors see so', async () => {
  const [show] = (await readAll<AdminConcert>('/api/admin/concerts')).flat()
  const idsOf = async (tickets: string) =>
    (await readAll<AdminConcert>(`/api/admin/concerts?tickets=${tickets}`)).flat().map(({ id }) => id)
  for (const [isSoldOut, tickets] of [
    [0, 'available'],
    [1, 'sold_out'],
  ] as const) {
    await env.DB.prepare('UPDATE concerts SET is_sold_out = ?1, tickets_available = 0').bind(isSoldOut).run()
    expect([tickets, await idsOf(tickets)]).toEqual([tickets, expect.arrayContaining([show?.id])])
  }
})

test.each([
  'tracks?state=secret',
  'releases?kind=tape',
  'products?sort=price_cents',
  'social-posts?color=red',
  'shipping-zones?kind=',
  'tax-rates?sort=-',
])('rejects the filter or sort of %s', async (query) => {
  expect(await statusAndCodeOf(await get(`/api/admin/${query}`))).toEqual([400, 'bad_input'])
})
