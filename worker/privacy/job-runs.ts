import type { JobRun } from '../contract/privacy'
import type { Db } from '../db/client'
import { DAY, type Millis } from '../lib/clock'

/** What the daily jobs work with. `origin` is what links in their mails begin with. */
export type House = { db: Db; files: R2Bucket; sessions: KVNamespace; secret: string; origin: string }

/** What one bounded step did, and whether there is more of the same. */
export type Step = { affected: number; more: boolean }

/**
 * Something that is tidied once a day. A step is bounded, may run twice, beside itself or be cut off half-way: the next
 * one finds what is left. None needs another to have succeeded.
 */
export type DailyJob = { name: string; step: (house: House, at: Millis) => Promise<Step> }

/** No job takes more steps than this in one run: the rest is the next day's. */
const MOST_STEPS = 20
/** Rows of earlier runs are kept so long. */
const RUNS_KEPT: Millis = 90 * DAY

/** Runs each job to its end or its bound, and writes down what came of it. A job that throws stops no other. */
export async function runDaily(
  jobs: readonly DailyJob[],
  house: House,
  at: Millis,
  failed: (job: string, error: unknown) => void,
): Promise<void> {
  const d1 = house.db.$client
  for (const { name, step } of jobs) {
    let affected = 0
    let state: JobRun['state'] = 'more'
    try {
      for (let steps = 0; steps < MOST_STEPS && state === 'more'; steps++) {
        const did = await step(house, at)
        affected += did.affected
        if (!did.more) state = 'done'
      }
    } catch (error) {
      state = 'failed'
      failed(name, error)
    }
    // Two runs at once share a row; what they did adds up.
    await d1
      .prepare(
        `INSERT INTO job_runs (job, started_at, affected, state) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT (job, started_at) DO UPDATE SET affected = affected + excluded.affected, state = excluded.state`,
      )
      .bind(name, at, affected, state)
      .run()
      .catch((error: unknown) => failed(name, error))
  }
  await d1
    .prepare('DELETE FROM job_runs WHERE started_at < ?1')
    .bind(at - RUNS_KEPT)
    .run()
    .catch((error: unknown) => failed('job runs', error))
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
