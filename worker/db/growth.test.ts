import { env } from 'cloudflare:test'
import { beforeAll, expect, test } from 'vitest'
import { HOUR } from '../lib/clock'
import { send } from '../testing/client'
import { growCrowd, openCrowdPoll } from '../testing/crowd'
import { furnish, NOON } from '../testing/furnish'
import { addTrack, addUser, planOf, sessionFor } from '../testing/rows'
import { watchedD1 } from '../testing/watched-d1'

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
/** Its rows are read through drizzle, where D1 does not say how many. */
const PLANNED = [...HOT, ['GET', '/api/account/orders']] as const

/** The headers of somebody with a hundred lines of history. */
async function newFan(): Promise<Record<string, string>> {
  const user = await addUser()
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
    const { DB, rowsRead } = watchedD1(env.DB)
    const { status } = await send(method, path, json, { at: NOON, headers, env: { DB } })
    read[`${method} ${path} ${status}`] = rowsRead()
  }
  return read
}

beforeAll(async () => {
  await furnish(env.DB)
  await addTrack({ id: 1 })
  await openCrowdPoll(env.DB, NOON + HOUR)
  await env.DB.prepare(
    `INSERT INTO missions (id, title, description, points, action, target, within_days, is_streak, position) VALUES
     ('votes', 'Vote', '', 5, 'poll_vote', 3, 7, 0, 1), ('days', 'Listen', '', 5, 'track_stream', 5, NULL, 1, 2)`,
  ).run()
  await growCrowd(env.DB, 0, SMALL)
})

test('what is asked for in a rush finds its rows by an index', async () => {
  const headers = await newFan()
  const plans: string[] = []
  const asked: Promise<unknown>[] = []
  const { DB } = watchedD1(env.DB, {
    bound: (sql, params) => asked.push(planOf({ sql, params }).then((plan) => plans.push(...plan))),
  })
  for (const [method, path, json] of PLANNED) await send(method, path, json, { at: NOON, headers, env: { DB } })
  await Promise.all(asked)
  const scans = plans.filter((step) =>
    /^SCAN (?!caller|json_each|mine|open|closed|m\b|missions\b|site\b|CONSTANT|\()/.test(step),
  )
  expect(plans.length).toBeGreaterThan(30)
  expect([...new Set(scans)]).toEqual([])
})

test('what is asked for in a rush reads no more rows in a crowd that has grown a hundredfold', async () => {
  const few = await rowsReadByEach()
  await growCrowd(env.DB, SMALL, LARGE)
  const many = await rowsReadByEach()
  expect(Math.min(...Object.values(few))).toBeGreaterThan(0)
  const dearer = Object.keys(few).filter((act) => !((many[act] ?? Number.NaN) <= 1.2 * few[act]!))
  expect(dearer.map((act) => `${act}: ${few[act]} rows, then ${many[act]}`)).toEqual([])
})
