import type { JobRun } from '../contract/privacy'
import type { BatchResult } from '../db/batch-delete'
import { openDb } from '../db/client'
import { countQueries } from '../db/query-count'
import type { Deps } from '../deps'
import { DAY_MS, HOUR_MS, MINUTE_MS, type Millis } from '../lib/clock'

/**
 * A daily cleanup job. A step is bounded, idempotent and safe to interrupt or run concurrently; jobs are independent.
 */
export type DailyJob = { name: string; step: (deps: Deps, at: Millis) => Promise<BatchResult> }

/** Steps per job and run; `resumeDailyJobs` continues the rest. */
const MAX_STEPS = 10

/** D1 allows 1000 calls per invocation. Past this count each remaining job takes one step, so that none starves. */
const MAX_DB_CALLS = 400
const RUN_RETENTION_MS: Millis = 90 * DAY_MS

type OnFailure = (job: string, error: unknown) => void

/** Runs each job until done or at its limit and records the result. A failing job stops no other. */
export async function runDailyJobs(
  jobs: readonly DailyJob[],
  deps: Deps,
  at: Millis,
  onFailure: OnFailure,
): Promise<void> {
  const { d1, calls } = countQueries(deps.db.$client)
  const countingDeps = { ...deps, db: openDb(d1) }
  for (const job of jobs)
    await runJob(job, countingDeps, { startedAt: at, at, maxSteps: maxStepsAfter(calls()) }, onFailure)
  await d1
    .prepare('DELETE FROM job_runs WHERE started_at < ?1')
    .bind(at - RUN_RETENTION_MS)
    .run()
    .catch((error: unknown) => onFailure('job runs', error))
}

const maxStepsAfter = (calls: number) => (calls < MAX_DB_CALLS ? MAX_STEPS : 1)

/** Failed or missed jobs are retried in the first tick of each hour. */
const TICK_MS: Millis = 5 * MINUTE_MS
const START_GRACE_MS: Millis = 15 * MINUTE_MS

/** Continues jobs that reached their limit and retries failed or missed ones once an hour, as part of the last run. */
export async function resumeDailyJobs(
  jobs: readonly DailyJob[],
  deps: Deps,
  at: Millis,
  onFailure: OnFailure,
): Promise<void> {
  const { d1, calls } = countQueries(deps.db.$client)
  const countingDeps = { ...deps, db: openDb(d1) }
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
    .bind(JSON.stringify(jobs.map(({ name }) => name)), Number(at % HOUR_MS < TICK_MS), at - START_GRACE_MS)
    .all<{ job: string; startedAt: Millis }>()
  for (const { job: name, startedAt } of results) {
    const job = jobs.find((candidate) => candidate.name === name)
    if (job) await runJob(job, countingDeps, { startedAt, at, maxSteps: maxStepsAfter(calls()) }, onFailure)
  }
}

async function runJob(
  { name, step }: DailyJob,
  deps: Deps,
  { startedAt, at, maxSteps }: { startedAt: Millis; at: Millis; maxSteps: number },
  onFailure: OnFailure,
): Promise<void> {
  let affected = 0
  let state: JobRun['state'] = 'more'
  try {
    for (let steps = 0; steps < maxSteps && state === 'more'; steps++) {
      const result = await step(deps, at)
      affected += result.affected
      if (!result.more) state = 'done'
    }
  } catch (error) {
    state = 'failed'
    onFailure(name, error)
  }
  // Continued and concurrent runs share a row; their counts add up.
  await deps.db.$client
    .prepare(
      `INSERT INTO job_runs (job, started_at, affected, state) VALUES (?1, ?2, ?3, ?4)
       ON CONFLICT (job, started_at) DO UPDATE SET affected = affected + excluded.affected, state = excluded.state`,
    )
    .bind(name, startedAt, affected, state)
    .run()
    .catch((error: unknown) => onFailure(name, error))
}

/** The last run of each job, by name. */
export async function listLastRuns(db: D1Database): Promise<JobRun[]> {
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
