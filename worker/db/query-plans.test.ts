import { env } from 'cloudflare:test'
import { beforeAll, expect, test } from 'vitest'
import { HOUR_MS } from '../lib/clock'
import { send } from '../testing/client'
import {
  addUser,
  CACHED_FOR_ALL,
  CACHED_FOR_VISITORS,
  CACHED_PAGES,
  loadFixtures,
  queryPlan,
} from '../testing/fixtures'
import { addLoadUsers, NOON, openLoadPoll } from '../testing/seed'
import { spyOnD1 } from '../testing/stores'
import { sessionFor } from '../testing/users'
import { openDb } from './client'
import { readDataVersion } from './data-version'

// What is asked for in a rush must cost the same when a hundred times as many people have come: the gate of what
// `npm run bench` prints in microseconds, up to a million.

const SMALL = 1_000
const LARGE = 100_000

/** In this order, as one person, who has not voted before. */
const HOT: readonly [method: string, path: string, json?: unknown][] = [
  ['POST', '/api/polls/crowd/vote', { optionId: 'crowd-a' }],
  ['POST', '/api/polls/crowd/vote', { optionId: 'crowd-b' }],
  ['POST', '/api/tracks/1/like'],
  ['DELETE', '/api/tracks/1/like'],
  ['GET', '/api/leaderboard'],
  ['GET', '/api/points/history'],
  ['GET', '/api/missions'],
  ['GET', '/api/polls/active'],
  ['GET', '/api/polls/closed'],
  ['GET', '/api/community/posts'],
]
/** What else many do at once. Some of it is read through drizzle, where D1 does not say how many rows. */
const PLANNED: typeof HOT = [
  ...HOT,
  ['GET', '/api/account/orders'],
  ['GET', '/api/auth/status'],
  ['GET', '/api/tracks'],
  ['GET', '/api/concerts/show-1'],
  ['POST', '/api/concerts/show-1/going', { named: true }],
  ['DELETE', '/api/concerts/show-1/going'],
  ['POST', '/api/community/posts', { text: 'I was there, too.' }],
  ['POST', '/api/community/posts/1/like'],
  ['GET', '/api/challenges/open/mine'],
  ['POST', '/api/challenges/open/vote', { finalistId: '1' }],
  ['POST', '/api/newsletter/subscribe', { email: 'reader@fan.example' }],
  ['POST', '/api/tracks/stream', { trackId: 1, platform: 'web', timestamp: 0, userAgent: '', userTier: '' }],
]
/** What everybody is given, as it is made. */
const KEPT = [...CACHED_FOR_ALL, ...CACHED_FOR_VISITORS, ...CACHED_PAGES].map((path) => ['GET', path] as const)

/** Tables that the desk fills, with a few dozen rows each, and parts of statements. */
const SMALL_ONES = [
  ...['site', 'tiers', 'social_posts', 'products', 'product_images', 'tracks', 'concerts', 'missions', 'data_version'],
  ...['caller', 'json_each', 'mine', 'open', 'closed', 'm', 'latest', 'CONSTANT', '('],
  // A ballot's flags: its own, and at the one that fills a burst or shares a device those of at most ten others.
  'found',
]
/** A step that goes through all of something: a minimum without an index is called a search, and names none. */
const goesThroughAll = (step: string) => {
  // The board walks down its index as far as its fifty lines; what that reads is counted below.
  if (step === 'SCAN users USING INDEX users_by_points') return false
  const [, all, searched] = /^SCAN (\(|\w+)/.exec(step) ?? /^(SEARCH) (\w+)$/.exec(step) ?? []
  return all !== undefined && (searched !== undefined || !SMALL_ONES.includes(all))
}

/** The headers of somebody with a hundred lines of history, who may vote in challenges, too. */
async function newFan(): Promise<Record<string, string>> {
  const user = await addUser({ emailVerifiedAt: 0, mailboxKey: 'fan@mail.example' })
  const lines = `INSERT INTO ledger (user_id, action, key, description, points, created_at)
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
    SELECT ?1, 'community_post', 'community_post:' || i, 'Posted', 1, i FROM n`
  await env.DB.prepare(lines).bind(user.id).run()
  return (await sessionFor(user, NOON)).headers
}

/** Rows that D1 read for each request, its triggers' included. */
async function rowsReadByEach(): Promise<Record<string, number>> {
  const headers = await newFan()
  const read: Record<string, number> = {}
  for (const [method, path, json] of HOT) {
    const { DB, rowsRead } = spyOnD1(env.DB)
    const { status } = await send(method, path, json, { at: NOON, headers, env: { DB } })
    read[`${method} ${path} ${status}`] = rowsRead()
  }
  return read
}

beforeAll(async () => {
  await loadFixtures()
  await openLoadPoll(env.DB, NOON + HOUR_MS)
  // One ballot fulfils none of these: the crowd is not paid for them.
  await env.DB.prepare('DELETE FROM missions').run()
  await env.DB.prepare(
    `INSERT INTO missions (id, title, description, points, action, target, within_days, is_streak, position) VALUES
     ('votes', 'Vote', '', 5, 'poll_vote', 3, 7, 0, 1), ('days', 'Listen', '', 5, 'track_stream', 5, NULL, 1, 2)`,
  ).run()
  await addLoadUsers(env.DB, 0, SMALL)
})

test('uses indexes in every hot query', async () => {
  const headers = await newFan()
  const plans = new Map<string, Promise<string[]>>()
  const { DB } = spyOnD1(env.DB, {
    prepared: (sql) => {
      const params = Array.from({ length: highestOf(sql) }, () => null)
      if (!plans.has(sql)) plans.set(sql, queryPlan({ sql, params }))
    },
  })
  const refused: string[] = []
  for (const [method, path, json] of PLANNED) {
    const { ok, status } = await send(method, path, json, { at: NOON, headers, env: { DB } })
    if (!ok) refused.push(`${status} ${method} ${path}`)
  }
  // What is turned away at the door plans nothing: these are refused by the statements themselves.
  expect(refused).toEqual(['409 POST /api/polls/crowd/vote', '410 POST /api/challenges/open/vote'])
  for (const [method, path] of KEPT)
    expect((await send(method, path, undefined, { at: NOON, env: { DB } })).ok).toBe(true)
  const through: string[] = []
  for (const [sql, plan] of plans) through.push(...(await plan).filter(goesThroughAll).map((step) => `${step}: ${sql}`))
  expect(plans.size).toBeGreaterThan(50)
  expect(through).toEqual([])
})

/** How many values a statement binds. */
const highestOf = (sql: string) =>
  Math.max(0, ...[...sql.matchAll(/\?(\d+)/g)].map(([, n]) => Number(n)), sql.match(/\?(?!\d)/g)?.length ?? 0)

test('checks the data version in constant time', async () => {
  const look = async () => {
    const { DB, rowsRead } = spyOnD1(env.DB)
    await readDataVersion(openDb(DB), NOON)
    return rowsRead()
  }
  const few = await look()
  const N = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)'
  await env.DB.batch([
    env.DB.prepare(`${N} INSERT INTO concerts (id, city, venue, address, starts_at, ends_at, price_cents, image_url, image_alt)
      SELECT 'past' || i, '', '', '', i, i + 1, 0, '', '' FROM n`),
    env.DB.prepare(`${N} INSERT INTO polls (id, title, ends_at, created_at, hidden_at)
      SELECT 'past' || i, 'Over', ?1 - 250 + i, 0, iif(i > 250, 1, NULL) FROM n`).bind(NOON),
    env.DB.prepare(`${N} INSERT INTO challenges (id, title, prize, submissions_from, submissions_until, finalists_on,
        voting_from, voting_until, winner_on, closed_on)
      SELECT 'past' || i, '', '', '', '', '', '', '', '', '' FROM n`),
  ])
  expect([few > 0, await look()]).toEqual([true, few])
})

test('reads no more rows with a hundredfold of users', async () => {
  const few = await rowsReadByEach()
  await addLoadUsers(env.DB, SMALL, LARGE)
  const many = await rowsReadByEach()
  expect(Math.min(...Object.values(few))).toBeGreaterThan(0)
  const dearer = Object.keys(few).filter((act) => !((many[act] ?? Number.NaN) <= 1.2 * few[act]!))
  expect(dearer.map((act) => `${act}: ${few[act]} rows, then ${many[act]}`)).toEqual([])
})
