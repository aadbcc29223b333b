import type { JobRun } from '../contract/privacy'
import { type Db, openDb } from '../db/client'
import { counted } from '../db/counted'
import type { Step } from '../db/portions'
import { DAY, HOUR, MINUTE, type Millis } from '../lib/clock'

/** What the daily jobs work with. `origin` is what links in their mails begin with. */
export type House = { db: Db; files: R2Bucket; sessions: KVNamespace; secret: string; origin: string }

/**
 * Something that is tidied once a day. A step is bounded, may run twice, beside itself or be cut off half-way: the next
 * one finds what is left. None needs another to have succeeded.
 */
export type DailyJob = { name: string; step: (house: House, at: Millis) => Promise<Step> }

/** No job takes more steps than this at once. What is left goes on with the next tick (`resumeDaily`). */
const MOST_STEPS = 10
/**
 * D1 answers one invocation a thousand times. Once the jobs together have asked so often, each of those left takes one
 * step, so that none starves, and goes on with the next tick; the rest is for that, and for what else the tick does.
 */
const CALLS_AT_ONCE = 400
/** Rows of earlier runs are kept so long. */
const RUNS_KEPT: Millis = 90 * DAY

type Failed = (job: string, error: unknown) => void

/** Runs each job to its end or its bound, and writes down what came of it. A job that throws stops no other. */
export async function runDaily(jobs: readonly DailyJob[], house: House, at: Millis, failed: Failed): Promise<void> {
  const { d1, calls } = counted(house.db.$client)
  const counting = { ...house, db: openDb(d1) }
  for (const job of jobs) await run(job, counting, { startedAt: at, at, mostSteps: stepsAfter(calls()) }, failed)
  await d1
    .prepare('DELETE FROM job_runs WHERE started_at < ?1')
    .bind(at - RUNS_KEPT)
    .run()
    .catch((error: unknown) => failed('job runs', error))
}

const stepsAfter = (calls: number) => (calls < CALLS_AT_ONCE ? MOST_STEPS : 1)

/** What failed, or was cut off before it began, is tried again once an hour, in the first of its ticks. */
const TICK: Millis = 5 * MINUTE
const BEGUN: Millis = 15 * MINUTE

/**
 * Goes on with every job whose last run reached its bound, and once an hour with those that failed or are missing in the
 * last run (the worker was ended before their turn), as a part of that run.
 */
export async function resumeDaily(jobs: readonly DailyJob[], house: House, at: Millis, failed: Failed): Promise<void> {
  const { d1, calls } = counted(house.db.$client)
  const counting = { ...house, db: openDb(d1) }
  const { results } = await d1
    .prepare(
      `SELECT known.value AS job, r.started_at AS startedAt FROM json_each(?1) known
       JOIN job_runs r ON r.job = known.value
         AND r.started_at = (SELECT max(started_at) FROM job_runs WHERE job = known.value)
       WHERE r.state = 'more' OR (r.state = 'failed' AND ?2)
       UNION ALL SELECT known.value, last.at FROM json_each(?1) known
       JOIN (SELECT max(started_at) AS at FROM job_runs) last ON last.at <= ?3
       WHERE ?2 AND NOT EXISTS (SELECT 1 FROM job_runs WHERE job = known.value AND started_at = last.at)`,
    )
    .bind(JSON.stringify(jobs.map(({ name }) => name)), Number(at % HOUR < TICK), at - BEGUN)
    .all<{ job: string; startedAt: Millis }>()
  for (const { job: name, startedAt } of results) {
    const job = jobs.find((one) => one.name === name)
    if (job) await run(job, counting, { startedAt, at, mostSteps: stepsAfter(calls()) }, failed)
  }
}

async function run(
  { name, step }: DailyJob,
  house: House,
  { startedAt, at, mostSteps }: { startedAt: Millis; at: Millis; mostSteps: number },
  failed: Failed,
): Promise<void> {
  let affected = 0
  let state: JobRun['state'] = 'more'
  try {
    for (let steps = 0; steps < mostSteps && state === 'more'; steps++) {
      const did = await step(house, at)
      affected += did.affected
      if (!did.more) state = 'done'
    }
  } catch (error) {
    state = 'failed'
    failed(name, error)
  }
  // What goes on, and two runs at once, share a row; what they did adds up.
  await house.db.$client
    .prepare(
      `INSERT INTO job_runs (job, started_at, affected, state) VALUES (?1, ?2, ?3, ?4)
       ON CONFLICT (job, started_at) DO UPDATE SET affected = affected + excluded.affected, state = excluded.state`,
    )
    .bind(name, startedAt, affected, state)
    .run()
    .catch((error: unknown) => failed(name, error))
}

/** Each job's last run, by name. */
export async function lastRuns(db: D1Database): Promise<JobRun[]> {
  const { results } = await db
    .prepare(
      `SELECT job, started_at AS startedAt, affected, state,
         (SELECT max(started_at) FROM job_runs d WHERE d.job = r.job AND d.state = 'done') AS lastDoneAt
       FROM job_runs r WHERE started_at = (SELECT max(started_at) FROM job_runs l WHERE l.job = r.job) ORDER BY job`,
    )
    .all<Omit<JobRun, 'startedAt' | 'lastDoneAt'> & { startedAt: Millis; lastDoneAt: Millis | null }>()
  return results.map(({ startedAt, lastDoneAt, ...run }) => ({
    ...run,
    startedAt: new Date(startedAt).toISOString(),
    lastDoneAt: lastDoneAt === null ? null : new Date(lastDoneAt).toISOString(),
  }))
}
