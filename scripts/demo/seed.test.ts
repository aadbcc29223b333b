import { execFile } from 'node:child_process'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { formatCompactNumber } from '../../web/lib/format'
import { loadOverview } from '../../worker/admin/overview'
import { listExclusivePosts } from '../../worker/community/exclusive-posts'
import type { PublicChallenge } from '../../worker/contract/challenge'
import type { HallOfFameEntry } from '../../worker/contract/hall-of-fame'
import type { Track } from '../../worker/contract/tracks'
import { openDb } from '../../worker/db/client'
import { readDayRange } from '../../worker/db/day-range'
import { loadSales } from '../../worker/orders/sales'
import { startTestServer, type TestServer } from '../races/test-server'
import { imageUrl } from './media'
import { seedRows } from './seed'

// Tests of the seeded demo. The overview is computed here from the worker's database; other values come from its API.
let server: TestServer
const NOW = Date.now()
let db: D1Database

beforeAll(async () => {
  server = await startTestServer({ SITE_MODE: 'demo' }, { isSeeded: false })
  db = server.env.DB
  await seedRows(db, NOW)
}, 60_000)
afterAll(() => server.close())

const getJson = async <T>(path: string): Promise<T> => (await fetch(new URL(path, server.base))).json() as Promise<T>
const readOverview = () => loadOverview(openDb(db), NOW)
const runSql = (sql: string) => db.prepare(sql).run()

test('a fresh demo shows the specified metrics', async () => {
  expect(await readOverview()).toMatchObject({
    supporters: 15_847,
    streams: 2_543_892,
    revenueCents: 4_829_350,
    growthPercent: 23.4,
    tiers: { bronze: 70, silver: 25, gold: 5 },
  })
})

test('1 to 5 % of product views become orders', async () => {
  const { products } = await loadSales(openDb(db), await readDayRange(openDb(db), {}, NOW))
  const sum = (key: 'views' | 'orders') => products.reduce((total, product) => total + product[key].now, 0)
  const conversion = sum('orders') / sum('views')
  expect([conversion > 0.01, conversion < 0.05]).toEqual([true, true])
  expect(products.filter(({ views }) => views.now === 0)).toEqual([])
})

test('the featured single has 50K plays and 20K likes', async () => {
  const [single] = await getJson<Track[]>('/api/tracks/trending')
  expect(single).toMatchObject({ id: 1 })
  expect([formatCompactNumber(single?.plays ?? 0), formatCompactNumber(single?.likes ?? 0)]).toEqual(['50K', '20K'])
})

test('the finished challenge counts 994 votes and 54 submissions', async () => {
  const { totalVotes, totalSubmissions, winnerVotes, finalists, date } =
    await getJson<HallOfFameEntry>('/api/challenge')
  expect({ totalVotes, totalSubmissions, winnerVotes, date }).toEqual({
    totalVotes: 994,
    totalSubmissions: 54,
    winnerVotes: 421,
    date: '2025-07-20',
  })
  expect(finalists.map(({ votes }) => votes)).toEqual([421, 363, 150, 35, 9, 8, 8])
  expect(finalists.slice(0, 3).map(({ percent }) => percent)).toEqual([42.4, 36.5, 15.1])
  expect(finalists[1]?.name.endsWith('average')).toBe(true)
})

test('a counted stream adds one to streams and plays', async () => {
  const before = await readOverview()
  const playsBefore = await db.prepare('SELECT plays FROM tracks WHERE id = 1').first<number>('plays')
  await runSql(
    "INSERT INTO stream_reports (listener, track_id, started_at, counted_at) VALUES ('somebody', 1, 1, 86400000)",
  )
  expect((await readOverview()).streams).toBe(before.streams + 1)
  const track = (await getJson<Track[]>('/api/tracks')).find(({ id }) => id === 1)
  expect(track?.plays).toBe((playsBefore ?? 0) + 1)
})

test('a refunded order reduces the revenue by its amount', async () => {
  const before = await readOverview()
  await runSql("UPDATE orders SET status = 'refunded' WHERE id = 'ord_demo_0001'")
  expect((await readOverview()).revenueCents).toBe(before.revenueCents - 1_999)
})

test('ballots of the finished challenge cannot change', async () => {
  const ballot = "id = (SELECT min(id) FROM challenge_ballots WHERE finalist_id = 'gold-open-verse-2025-1')"
  for (const change of [
    `UPDATE challenge_ballots SET finalist_id = 'gold-open-verse-2025-2' WHERE ${ballot}`,
    `UPDATE challenge_ballots SET excluded_for = 'burst' WHERE ${ballot}`,
    `DELETE FROM challenge_ballots WHERE ${ballot}`,
    `INSERT INTO challenge_ballots (challenge_id, finalist_id, cast_at, voter_pseudonym)
     VALUES ('gold-open-verse-2025', 'gold-open-verse-2025-2', 0, 'late')`,
    "UPDATE challenge_finalists SET votes = votes + 1 WHERE id = 'gold-open-verse-2025-2'",
    "UPDATE challenges SET sealed_at = NULL WHERE id = 'gold-open-verse-2025'",
  ])
    await expect(runSql(change)).rejects.toThrow('these votes are fixed')
})

/** Runs docs/recount.mjs with a tally and its published SHA-256; `isConfirmed` is whether it exits with 0. */
async function recount(tally: Buffer, publishedSha256: string) {
  const file = join(await mkdtemp(join(tmpdir(), 'recount-')), 'tally.csv')
  await writeFile(file, tally)
  return promisify(execFile)(process.execPath, ['docs/recount.mjs', file, publishedSha256]).then(
    ({ stdout }) => ({ isConfirmed: true, output: stdout }),
    ({ stdout }: { stdout: string }) => ({ isConfirmed: false, output: stdout }),
  )
}

test('the recount script detects an altered ballot', async () => {
  const { tally, finalists } = await getJson<HallOfFameEntry>('/api/challenge')
  const bytes = Buffer.from(await (await fetch(new URL(tally.url, server.base))).arrayBuffer())
  const { isConfirmed, output } = await recount(bytes, tally.sha256)
  expect(isConfirmed).toBe(true)
  for (const { name, votes } of finalists) expect(output).toMatch(new RegExp(`${name}\\D+${votes}\\b`))
  const altered = Buffer.from(bytes.toString().replace('"Better Than average"', '"Kilo Verano"'))
  expect(altered.equals(bytes)).toBe(false)
  expect(await recount(altered, tally.sha256)).toMatchObject({
    isConfirmed: false,
    output: expect.stringContaining('NOT'),
  })
})

test('totals of points, poll votes and plays equal their rows', async () => {
  const mismatches = await db
    .prepare(
      `SELECT (SELECT count(*) FROM users u WHERE points <> (SELECT coalesce(sum(points), 0) FROM ledger WHERE user_id = u.id)) AS points,
              (SELECT count(*) FROM poll_options o WHERE votes <> (SELECT count(*) FROM poll_votes WHERE option_id = o.id AND poll_id = o.poll_id)) AS votes,
              (SELECT count(*) FROM tracks t WHERE plays <> (SELECT sum(plays) FROM track_days WHERE track_id = t.id)) AS plays`,
    )
    .first()
  expect(mismatches).toEqual({ points: 0, votes: 0, plays: 0 })
})

test('each post has a ledger entry and counts its likes', async () => {
  const counts = await db
    .prepare(
      `SELECT count(*) AS posts, count(ledger.id) AS rewarded, sum(likes = (SELECT count(*) FROM post_likes WHERE post_id = posts.id)) AS counted,
         count(picture_id) AS pictured, count(link_url) AS linked, max(posts.created_at) < ?1 AS past,
         (SELECT count(*) FROM link_previews WHERE url IN (SELECT link_url FROM posts)) AS previewed
       FROM posts LEFT JOIN ledger ON ledger.user_id = author_id AND ledger.key = 'community_post:' || posts.id
         AND ledger.created_at = posts.created_at
       WHERE tier = 'bronze'`,
    )
    .bind(NOW)
    .first()
  expect(counts).toEqual({ posts: 24, rewarded: 24, counted: 24, pictured: 3, linked: 2, past: 1, previewed: 2 })
})

test('each paid tier has exclusive posts', async () => {
  const posts = await listExclusivePosts(openDb(db), null)
  expect(posts.map(({ tier }) => tier)).toEqual(['silver', 'gold', 'silver'])
})

test('serves the open challenge beside the finished one', async () => {
  expect(await getJson<PublicChallenge>('/api/challenge/current')).toMatchObject({
    state: 'submissions',
    finalists: [],
  })
  expect((await getJson<HallOfFameEntry>('/api/challenge')).date).toBe('2025-07-20')
})

test('seeding again changes nothing', async () => {
  const counts = () =>
    db
      .prepare(
        `SELECT (SELECT count(*) FROM users) AS users, (SELECT count(*) FROM ledger) AS entries,
           (SELECT sum(plays) FROM tracks) AS plays, (SELECT count(*) FROM orders) AS orders`,
      )
      .first()
  const before = await counts()
  expect(await seedRows(db, NOW)).toBe(false)
  expect(await counts()).toEqual(before)
})

test('seeding adds exclusive posts to a demo without them', async () => {
  const postIds = () => listExclusivePosts(openDb(db), null).then((posts) => posts.map(({ id }) => id))
  const before = await postIds()
  await db.prepare("DELETE FROM posts WHERE tier <> 'bronze'").run()
  await seedRows(db, NOW)
  expect(await postIds()).toEqual(before)
})

test('seeding moves an old demo’s shows, polls and challenge forward', async () => {
  const later = NOW + 100 * 24 * 60 * 60 * 1000
  await seedRows(db, later)
  const upcoming = await db
    .prepare(
      'SELECT (SELECT count(*) FROM concerts WHERE ends_at > ?1) AS shows, (SELECT count(*) FROM polls WHERE ends_at > ?1) AS polls',
    )
    .bind(later)
    .first()
  expect(upcoming).toEqual({ shows: 6, polls: 2 })
  const { results } = await db
    .prepare('SELECT title FROM challenges WHERE submissions_open_at <= ?1 AND submissions_close_at > ?1')
    .bind(later)
    .all()
  expect(results).toHaveLength(1)
})

test('seeding again updates the demo’s image URLs, not uploads', async () => {
  const covers = () => db.prepare('SELECT cover_url FROM tracks ORDER BY id').raw()
  const seeded = await covers()
  await db.prepare("UPDATE tracks SET cover_url = '/media/demo/cover-gilt-tide.webp' WHERE id = 1").run()
  await db.prepare("UPDATE tracks SET cover_url = '/media/uploads/up_other' WHERE id = 2").run()
  await seedRows(db, NOW)
  const [first, second, ...others] = await covers()
  expect([first, second]).toEqual([[imageUrl('cover-gilt-tide')], ['/media/uploads/up_other']])
  expect(others).toEqual(seeded.slice(2))
})
