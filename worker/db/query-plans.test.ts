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

// Hot queries must not slow down as the number of users grows; `npm run bench` measures them with up to a million.

const SMALL_ROW_COUNT = 1_000
const LARGE_ROW_COUNT = 100_000

/** Requests that one user without votes sends in this order. */
const HOT_REQUESTS: readonly [method: string, path: string, json?: unknown][] = [
  ['POST', '/api/polls/load-poll/vote', { optionId: 'load-poll-a' }],
  ['POST', '/api/polls/load-poll/vote', { optionId: 'load-poll-b' }],
  ['POST', '/api/tracks/1/like'],
  ['DELETE', '/api/tracks/1/like'],
  ['GET', '/api/leaderboard'],
  ['GET', '/api/points/history'],
  ['GET', '/api/missions'],
  ['GET', '/api/polls/active'],
  ['GET', '/api/polls/closed'],
  ['GET', '/api/community/posts'],
]
/** Requests whose query plans are tested: also frequent ones through drizzle, which reports no row counts. */
const PLANNED_REQUESTS: typeof HOT_REQUESTS = [
  ...HOT_REQUESTS,
  ['GET', '/api/account/orders'],
  ['GET', '/api/auth/status'],
  ['GET', '/api/tracks'],
  ['GET', '/media/uploads/1'],
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
/** Requests of cached responses, answered without the cache. */
const CACHED_REQUESTS = [...CACHED_FOR_ALL, ...CACHED_FOR_VISITORS, ...CACHED_PAGES].map(
  (path) => ['GET', path] as const,
)

/** Tables of a few dozen rows that admins edit, CTE names, and what plans print for constants and subqueries. */
const SMALL_TABLES = [
  'site',
  'tiers',
  'social_posts',
  'legal_texts',
  'products',
  'product_images',
  'product_variants',
  'bundle_items',
  'shipping_zones',
  'tracks',
  'concerts',
  'missions',
  'data_version',
  'caller',
  'json_each',
  'use',
  'active',
  'shown',
  'mission',
  'latest',
  'CONSTANT',
  '(',
  // Flags of a ballot and of at most ten related ones.
  'flags',
]
/** Also matches `min()` of a column without an index, which SQLite reports as a search that names no index. */
const isFullScan = (step: string) => {
  // This scan stops after the fifty entries of the leaderboard. A test below counts the rows that it reads.
  if (step === 'SCAN users USING INDEX users_by_points') return false
  const [, scanned, searched] = /^SCAN (\(|\w+)/.exec(step) ?? /^(SEARCH) (\w+)$/.exec(step) ?? []
  return scanned !== undefined && (searched !== undefined || !SMALL_TABLES.includes(scanned))
}

/** Headers of a user with a confirmed address and with a hundred ledger entries. */
async function newSupporter(): Promise<Record<string, string>> {
  const user = await addUser({ emailVerifiedAt: 0, mailboxKey: 'fan@mail.example' })
  const entries = `INSERT INTO ledger (user_id, action, key, description, points, created_at)
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
    SELECT ?1, 'community_post', 'community_post:' || i, 'Posted', 1, i FROM n`
  await env.DB.prepare(entries).bind(user.id).run()
  return (await sessionFor(user, NOON)).headers
}

/** Numbers of rows that D1 read for each request, triggers included, by method, path and status. */
async function countRowsReadByEach(): Promise<Record<string, number>> {
  const headers = await newSupporter()
  const read: Record<string, number> = {}
  for (const [method, path, json] of HOT_REQUESTS) {
    const { DB, rowsRead } = spyOnD1(env.DB)
    const { status } = await send(method, path, json, { at: NOON, headers, env: { DB } })
    read[`${method} ${path} ${status}`] = rowsRead()
  }
  return read
}

beforeAll(async () => {
  await loadFixtures()
  await openLoadPoll(env.DB, NOON + HOUR_MS)
  // Replaces the missions by ones that no single vote completes, so load users need no awards.
  await env.DB.prepare('DELETE FROM missions').run()
  await env.DB.prepare(
    `INSERT INTO missions (id, title, description, points, action, target, within_days, is_streak, position) VALUES
     ('votes', 'Vote', '', 5, 'poll_vote', 3, 7, 0, 1), ('days', 'Listen', '', 5, 'track_stream', 5, NULL, 1, 2)`,
  ).run()
  await env.DB.prepare("INSERT INTO uploads (id, kind, created_at, is_published) VALUES ('1', 'picture', 0, 1)").run()
  await env.FILES.put('uploads/1', 'x', { httpMetadata: { contentType: 'image/webp' } })
  await addLoadUsers(env.DB, 0, SMALL_ROW_COUNT)
})

test('uses indexes in every hot query', async () => {
  const headers = await newSupporter()
  const plans = new Map<string, Promise<string[]>>()
  const { DB } = spyOnD1(env.DB, {
    prepared: (sql) => {
      const params = Array.from({ length: parameterCount(sql) }, () => null)
      if (!plans.has(sql)) plans.set(sql, queryPlan({ sql, params }))
    },
  })
  const rejected: string[] = []
  for (const [method, path, json] of PLANNED_REQUESTS) {
    const { ok, status } = await send(method, path, json, { at: NOON, headers, env: { DB } })
    if (!ok) rejected.push(`${status} ${method} ${path}`)
  }
  // A request must be rejected by its SQL: one that is rejected earlier would run no query.
  expect(rejected).toEqual(['409 POST /api/polls/load-poll/vote', '410 POST /api/challenges/open/vote'])
  for (const [method, path] of CACHED_REQUESTS)
    expect((await send(method, path, undefined, { at: NOON, env: { DB } })).ok).toBe(true)
  const fullScans: string[] = []
  for (const [sql, plan] of plans) fullScans.push(...(await plan).filter(isFullScan).map((step) => `${step}: ${sql}`))
  expect(plans.size).toBeGreaterThan(50)
  expect(fullScans).toEqual([])
})

const parameterCount = (sql: string) =>
  Math.max(0, ...[...sql.matchAll(/\?(\d+)/g)].map(([, n]) => Number(n)), sql.match(/\?(?!\d)/g)?.length ?? 0)

test('checks the data version in constant time', async () => {
  const countRowsRead = async () => {
    const { DB, rowsRead } = spyOnD1(env.DB)
    await readDataVersion(openDb(DB), NOON)
    return rowsRead()
  }
  const few = await countRowsRead()
  const NUMBERS_SQL = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)'
  await env.DB.batch([
    env.DB.prepare(`${NUMBERS_SQL} INSERT INTO concerts (id, slug, city, venue, address, starts_at, ends_at, price_cents, image_url, image_alt)
      SELECT 'past' || i, 'past' || i, '', '', '', i, i + 1, 0, '', '' FROM n`),
    env.DB.prepare(`${NUMBERS_SQL} INSERT INTO polls (id, title, ends_at, created_at, hidden_at)
      SELECT 'past' || i, 'Over', ?1 - 250 + i, 0, iif(i > 250, 1, NULL) FROM n`).bind(NOON),
    env.DB.prepare(`${NUMBERS_SQL} INSERT INTO challenges (id, title, prize, submissions_from, submissions_until, finalists_on,
        voting_from, voting_until, winner_on, closed_on)
      SELECT 'past' || i, '', '', '', '', '', '', '', '', '' FROM n`),
  ])
  expect([few > 0, await countRowsRead()]).toEqual([true, few])
})

test('reads no more rows with a hundred times the users', async () => {
  const few = await countRowsReadByEach()
  await addLoadUsers(env.DB, SMALL_ROW_COUNT, LARGE_ROW_COUNT)
  const many = await countRowsReadByEach()
  expect(Math.min(...Object.values(few))).toBeGreaterThan(0)
  // Negated, so that a request whose status changed, and is therefore missing in `many`, is a regression.
  const regressions = Object.keys(few).filter((request) => !(many[request]! <= 1.2 * few[request]!))
  expect(regressions.map((request) => `${request}: ${few[request]} rows, then ${many[request]}`)).toEqual([])
})
