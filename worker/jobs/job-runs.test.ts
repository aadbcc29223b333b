import { env } from 'cloudflare:test'
import { beforeEach, expect, test } from 'vitest'
import { openDb } from '../db/client'
import { MINUTE_MS } from '../lib/clock'
import { DAILY_JOBS } from '../schedule'
import { NOON } from '../testing/seed'
import { spyOnD1 } from '../testing/stores'
import { type DailyJob, resumeDailyJobs, runDailyJobs } from './job-runs'

beforeEach(async () => {
  await env.DB.prepare('DELETE FROM job_runs').run()
})

/** D1 calls per invocation on the paid plan (developers.cloudflare.com/d1/platform/limits). */
const MAX_D1_CALLS = 1000
/** The most D1 calls that one step of a daily job may make. */
const MAX_CALLS_PER_STEP = 15
const depsFor = (DB: D1Database) => ({
  db: openDb(DB),
  files: env.FILES,
  sessions: env.SESSIONS,
  secret: 'x'.repeat(32),
  origin: 'https://fan.example',
})
const failOnError = (job: string, error: unknown) => {
  throw new Error(`${job}: ${error}`)
}

test('endless jobs all get a turn within D1’s call limit', async () => {
  const runsByJob = new Map<string, number>()
  const jobs: DailyJob[] = DAILY_JOBS.map(({ name }) => ({
    name,
    step: async ({ db }) => {
      const statement = db.$client.prepare('SELECT 1')
      await Promise.all(
        Array.from({ length: MAX_CALLS_PER_STEP }, (_, call) =>
          call % 2 ? db.$client.batch([statement]) : statement.first(),
        ),
      )
      runsByJob.set(name, (runsByJob.get(name) ?? 0) + 1)
      return { affected: 1, more: true }
    },
  }))
  const dailyRun = spyOnD1(env.DB)
  await runDailyJobs(jobs, depsFor(dailyRun.DB), NOON, failOnError)
  const resumedRun = spyOnD1(env.DB)
  await resumeDailyJobs(jobs, depsFor(resumedRun.DB), NOON + 5 * MINUTE_MS, failOnError)
  expect([Math.max(dailyRun.trips(), resumedRun.trips()) < MAX_D1_CALLS, runsByJob.size]).toEqual([
    true,
    DAILY_JOBS.length,
  ])
  expect(dailyRun.trips()).toBeGreaterThan(500)
  expect(Math.min(...runsByJob.values())).toBe(2)
  const unfinishedCount = await env.DB.prepare("SELECT count(*) AS n FROM job_runs WHERE state = 'more'").first('n')
  expect(unfinishedCount).toBe(DAILY_JOBS.length)
})

test('a step of each daily job makes few D1 calls', async () => {
  // Inactive accounts for a full batch of the job that erases them one by one.
  for (let n = 0; n < 5; n++)
    await env.DB.prepare(
      "INSERT INTO users (username, username_key, created_at, last_active_at) VALUES ('silent' || ?1, 'silent' || ?1, 0, 0)",
    )
      .bind(n)
      .run()
  const { DB, trips } = spyOnD1(env.DB)
  const callsByJob = new Map<string, number>()
  for (const { name, step } of DAILY_JOBS) {
    const before = trips()
    await step(depsFor(DB), NOON)
    callsByJob.set(name, trips() - before)
  }
  expect([...callsByJob].filter(([, calls]) => calls > MAX_CALLS_PER_STEP)).toEqual([])
  expect(callsByJob.get('Erase inactive accounts')).toBeGreaterThan(10)
})
