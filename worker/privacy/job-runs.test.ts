import { env } from 'cloudflare:test'
import { beforeEach, expect, test } from 'vitest'
import { DAILY } from '../daily'
import { openDb } from '../db/client'
import { MINUTE } from '../lib/clock'
import { NOON } from '../testing/furnish'
import { watchedD1 } from '../testing/watched-d1'
import { type DailyJob, resumeDaily, runDaily } from './job-runs'

beforeEach(async () => {
  await env.DB.prepare('DELETE FROM job_runs').run()
})

/** What one invocation may ask of D1 on the plan that the queues need (developers.cloudflare.com/d1/platform/limits). */
const D1_ANSWERS = 1000
const CALLS_OF_A_STEP = 15
const houseOn = (DB: D1Database) => ({
  db: openDb(DB),
  files: env.FILES,
  sessions: env.SESSIONS,
  secret: 'x'.repeat(32),
  origin: 'https://fan.example',
})
const never = (job: string, error: unknown) => {
  throw new Error(`${job}: ${error}`)
}

test('as many jobs as there are, each with a backlog without end, stay below what D1 answers in one tick, and each has its turn', async () => {
  const turns = new Map<string, number>()
  const jobs: DailyJob[] = DAILY.map(({ name }) => ({
    name,
    step: async ({ db }) => {
      const ask = db.$client.prepare('SELECT 1')
      await Promise.all(
        Array.from({ length: CALLS_OF_A_STEP }, (_, call) => (call % 2 ? db.$client.batch([ask]) : ask.first())),
      )
      turns.set(name, (turns.get(name) ?? 0) + 1)
      return { affected: 1, more: true }
    },
  }))
  const first = watchedD1(env.DB)
  await runDaily(jobs, houseOn(first.DB), NOON, never)
  const later = watchedD1(env.DB)
  await resumeDaily(jobs, houseOn(later.DB), NOON + 5 * MINUTE, never)
  expect([Math.max(first.trips(), later.trips()) < D1_ANSWERS, turns.size]).toEqual([true, DAILY.length])
  expect(first.trips()).toBeGreaterThan(500)
  expect(Math.min(...turns.values())).toBe(2)
  const more = await env.DB.prepare("SELECT count(*) AS n FROM job_runs WHERE state = 'more'").first('n')
  expect(more).toBe(DAILY.length)
})

test('a step of any daily job asks D1 a few times', async () => {
  // Of what is done one by one, a whole portion.
  for (let n = 0; n < 5; n++)
    await env.DB.prepare(
      "INSERT INTO users (username, username_key, created_at, last_active_at) VALUES ('silent' || ?1, 'silent' || ?1, 0, 0)",
    )
      .bind(n)
      .run()
  const { DB, trips } = watchedD1(env.DB)
  const most = new Map<string, number>()
  for (const { name, step } of DAILY) {
    const before = trips()
    await step(houseOn(DB), NOON)
    most.set(name, trips() - before)
  }
  expect([...most].filter(([, calls]) => calls > CALLS_OF_A_STEP)).toEqual([])
  expect(most.get('Erase accounts that stayed silent')).toBeGreaterThan(10)
})
