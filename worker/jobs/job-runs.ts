import { lt, sql } from 'drizzle-orm'
import type { JobRun } from '../contract/privacy'
import type { BatchResult } from '../db/cleanup-batches'
import { type Db, openDb } from '../db/client'
import { countD1Calls } from '../db/d1-call-count'
import type { Deps } from '../deps'
import { DAY_MS, HOUR_MS, MINUTE_MS, type Millis, toIso } from '../lib/clock'
import { jobRuns } from './job-runs.table'

/**
 * A daily cleanup job. A step is bounded, idempotent and safe to interrupt or run concurrently; jobs are independent.
 */
export type DailyJob = { name: string; step: (deps: Deps, at: Millis) => Promise<BatchResult> }

/** Steps per job and run; `resumeDailyJobs` continues the rest. */
const MAX_STEPS = 10

/** D1 allows 1000 calls per invocation. After this many, each remaining job runs one step, so all make progress. */
const D1_CALL_THRESHOLD = 400
const RUN_RETENTION_MS: Millis = 90 * DAY_MS

type OnFailure = (job: string, error: unknown) => void

/** Runs each job until it is done or reaches its limit, and records the result. Other jobs run even if one fails. */
export async function runDailyJobs(
  jobs: readonly DailyJob[],
  deps: Deps,
  at: Millis,
  onFailure: OnFailure,
): Promise<void> {
  const { d1, calls } = countD1Calls(deps.db.$client)
  const db = openDb(d1)
  for (const job of jobs)
    await runJob(job, { ...deps, db }, { startedAt: at, at, maxSteps: maxStepsAfter(calls()) }, onFailure)
  await db
    .delete(jobRuns)
    .where(lt(jobRuns.startedAt, at - RUN_RETENTION_MS))
    .catch((error: unknown) => onFailure('job runs', error))
}

const maxStepsAfter = (calls: number) => (calls < D1_CALL_THRESHOLD ? MAX_STEPS : 1)

/** Interval of `resumeDailyJobs`, whose first run in each hour also retries failed and missed jobs. */
const RESUME_INTERVAL_MS: Millis = 5 * MINUTE_MS
/** A job counts as missed if it has no row this long after the daily run began. */
const START_GRACE_MS: Millis = 15 * MINUTE_MS

/**
 * Continues jobs that reached their limit, and once an hour failed or missed ones. Records the result under the start
 * of the unfinished run, or of the daily run that missed the job.
 */
export async function resumeDailyJobs(
  jobs: readonly DailyJob[],
  deps: Deps,
  at: Millis,
  onFailure: OnFailure,
): Promise<void> {
  const { d1, calls } = countD1Calls(deps.db.$client)
  const db = openDb(d1)
  const { results } = await d1
    .prepare(
      `WITH registered AS (SELECT value AS name FROM json_each(?1)),
         last_daily_run AS (SELECT max(started_at) AS started_at FROM job_runs)
       SELECT run.job, run.started_at AS startedAt FROM registered JOIN job_runs run ON run.job = registered.name
         AND run.started_at = (SELECT max(started_at) FROM job_runs WHERE job = registered.name)
       WHERE run.state = 'more' OR (run.state = 'failed' AND ?2)
       UNION ALL
       SELECT registered.name, last_daily_run.started_at FROM registered
       JOIN last_daily_run ON last_daily_run.started_at <= ?3
       WHERE ?2 AND NOT EXISTS (
         SELECT 1 FROM job_runs WHERE job = registered.name AND started_at = last_daily_run.started_at)`,
    )
    .bind(JSON.stringify(jobs.map(({ name }) => name)), Number(at % HOUR_MS < RESUME_INTERVAL_MS), at - START_GRACE_MS)
    .all<{ job: string; startedAt: Millis }>()
  for (const { job: name, startedAt } of results) {
    const job = jobs.find((candidate) => candidate.name === name)
    if (job) await runJob(job, { ...deps, db }, { startedAt, at, maxSteps: maxStepsAfter(calls()) }, onFailure)
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
  await deps.db
    .insert(jobRuns)
    .values({ job: name, startedAt, affected, state })
    .onConflictDoUpdate({
      target: [jobRuns.job, jobRuns.startedAt],
      set: { affected: sql`${jobRuns.affected} + excluded.affected`, state },
    })
    .catch((error: unknown) => onFailure(name, error))
}

/** The last run of each job, by name. */
export async function listLastRuns(db: Db): Promise<JobRun[]> {
  const { job, startedAt, affected, state } = jobRuns
  const lastDoneAt = sql<Millis | null>`(SELECT max(done.started_at) FROM job_runs done
    WHERE done.job = job_runs.job AND done.state = 'done')`
  const rows = await db
    .select({ job, startedAt, affected, state, lastDoneAt })
    .from(jobRuns)
    .where(sql`${startedAt} = (SELECT max(run.started_at) FROM job_runs run WHERE run.job = job_runs.job)`)
    .orderBy(job)
  return rows.map(({ startedAt, lastDoneAt, ...run }) => ({
    ...run,
    startedAt: toIso(startedAt),
    lastDoneAt: toIso(lastDoneAt),
  }))
}
