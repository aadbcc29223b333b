import { rmSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSession } from '../../worker/auth/sessions'
import { seedSite } from '../../worker/testing/seed'
import { ensureSecrets, migrateLocal, waitUntilReady, withLocal } from '../tools/local'
import { freePort } from '../tools/ports'
import { killServer, sleep, startServer } from './kill-server'
import { countByStatus, inParallel, startTestServer, type TestServer } from './test-server'

const HOUR = 3_600_000
const state = `.wrangler/challenge-${process.pid}`
let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
}, 120_000)
afterAll(async () => {
  await server.close()
  rmSync(state, { recursive: true, force: true })
})

/** Opens a challenge with two finalists that takes votes until `closesAt` (epoch ms). */
async function openVoting(db: D1Database, id: string, closesAt: number): Promise<void> {
  const day = '2026-01-01'
  await db
    .prepare(
      `INSERT INTO challenges (id, title, prize, submissions_from, submissions_until, finalists_on, voting_from, voting_until,
         winner_on, closed_on, voting_closes_at, publish_at)
       VALUES (?1, ?1, 'A prize', ?2, ?2, ?2, ?2, ?2, ?2, ?2, ?3, ?3)`,
    )
    .bind(id, day, closesAt)
    .run()
  for (const [at, name] of ['a', 'b'].entries())
    await db
      .prepare('INSERT INTO challenge_finalists (id, challenge_id, name, position) VALUES (?1, ?2, ?3, ?4)')
      .bind(`${id}-${name}`, id, name, at + 1)
      .run()
}

const CONFIRMED = `UPDATE users SET email = username || '@fan.example', email_key = username || '@fan.example',
  mailbox_key = username || '@fan.example', email_verified_at = 1 WHERE role = 'supporter' AND email IS NULL`

/** Finalists whose counter differs from their ballots, and ballots without a fingerprint. */
const DISAGREEMENTS = `
  SELECT id FROM challenge_finalists f WHERE votes <> (SELECT count(*) FROM challenge_ballots WHERE finalist_id = f.id)
  UNION ALL SELECT 'unmarked' FROM challenge_ballots b JOIN challenges c ON c.id = b.challenge_id AND c.ballots_sha256 IS NULL
    WHERE NOT EXISTS (SELECT 1 FROM ballot_marks WHERE ballot_id = b.id)`

test('counts votes before the closing millisecond once', async () => {
  const fans = await server.newFans(100)
  await server.run(CONFIRMED)
  // Warm up the server before the race.
  await server.request('GET', '/api/challenge/current')
  const closesAt = Date.now() + 3500
  await openVoting(server.env.DB, 'late', closesAt)
  const vote = async (at: number) => {
    await sleep(closesAt - Date.now() - 2000 + (at % 100) * 25)
    const body = { finalistId: `late-${at % 3 ? 'a' : 'b'}` }
    return server.request('POST', '/api/challenges/late/vote', body, fans[at % 100]!.cookie)
  }
  const responses = await inParallel(200, vote)
  const statuses = countByStatus(responses)
  expect(Object.keys(statuses).filter((status) => !['200', '409', '410'].includes(status))).toEqual([])
  // Both outcomes must occur, or nothing raced.
  expect(statuses[200]).toBeGreaterThan(0)
  expect(statuses[410]).toBeGreaterThan(0)
  const [stored] = await server.rows<{ n: number; last: number }>(
    "SELECT count(*) AS n, max(cast_at) AS last FROM challenge_ballots WHERE challenge_id = 'late'",
  )
  expect(stored?.n).toBe(statuses[200])
  expect(stored?.last).toBeLessThan(closesAt)
  await server.runFrequentJobs(new Date(closesAt))
  expect(await server.rows("SELECT ballots_count AS n FROM challenges WHERE id = 'late'")).toEqual([
    { n: statuses[200] },
  ])
  expect(await server.rows(DISAGREEMENTS)).toEqual([])
}, 60_000)

test('a kill during voting loses no acknowledged vote', async () => {
  ensureSecrets()
  await migrateLocal(state)
  const names = Array.from({ length: 60 }, (_, n) => `voter${n}`)
  const cookies = await withLocal(state, async ({ DB, SESSIONS }) => {
    await seedSite(DB)
    await openVoting(DB, 'killed', Date.now() + HOUR)
    const { results } = await DB.prepare(
      `INSERT INTO users (username, username_key, created_at, last_active_at) SELECT value, value, 0, 0 FROM json_each(?1) RETURNING id`,
    )
      .bind(JSON.stringify(names))
      .all<{ id: number }>()
    await DB.prepare(CONFIRMED).run()
    const sessions = []
    for (const { id } of results)
      sessions.push(await createSession(SESSIONS, 'supporter', { userId: id, epoch: 0 }, Date.now()))
    return sessions.map(({ token }) => `session=${token}`)
  })
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const acknowledged = new Set<string>()
  const vote = async (at: number): Promise<number> => {
    const response = await fetch(`${origin}/api/challenges/killed/vote`, {
      method: 'POST',
      headers: { cookie: cookies[at] ?? '', origin, 'content-type': 'application/json' },
      body: JSON.stringify({ finalistId: `killed-${at % 3 ? 'a' : 'b'}` }),
    }).catch(() => null)
    const ballot = response?.ok ? ((await response.json().catch(() => null)) as { pseudonym: string } | null) : null
    if (ballot) acknowledged.add(ballot.pseudonym)
    return response?.status ?? 0
  }
  const check = () =>
    withLocal(state, async ({ DB }) => {
      const { results } = await DB.prepare(
        "SELECT voter_pseudonym AS pseudonym FROM challenge_ballots WHERE challenge_id = 'killed'",
      ).all<{ pseudonym: string }>()
      const stored = new Set(results.map(({ pseudonym }) => pseudonym))
      expect([...acknowledged].filter((pseudonym) => !stored.has(pseudonym))).toEqual([])
      expect((await DB.prepare(DISAGREEMENTS).all()).results).toEqual([])
      return stored.size
    })
  let child = startServer(state, port)
  try {
    await waitUntilReady(origin)
    const racing = inParallel(names.length, async (at) => {
      await sleep(at * 40)
      return vote(at)
    })
    while (acknowledged.size < 10) await sleep(1)
    await killServer(child)
    const cutOff = (await racing).filter((status) => status === 0).length
    expect(cutOff).toBeGreaterThan(0)
    expect(await check()).toBeLessThan(names.length)

    child = startServer(state, port)
    await waitUntilReady(origin)
    for (let from = 0; from < names.length; from += 20) {
      const again = await inParallel(20, (n) => vote(from + n))
      expect(again.filter((status) => status !== 200 && status !== 409)).toEqual([])
    }
  } finally {
    await killServer(child)
  }
  expect(await check()).toBe(names.length)
}, 120_000)
