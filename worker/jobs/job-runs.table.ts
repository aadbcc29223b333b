import { sql } from 'drizzle-orm'
import { check, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** One row per run of a daily job. */
export const jobRuns = sqliteTable(
  'job_runs',
  {
    job: text('job').notNull(),
    startedAt: integer('started_at').notNull(),
    affected: integer('affected').notNull(),
    /** 'more': the run stopped before all rows were processed. */
    state: text('state', { enum: ['done', 'more', 'failed'] }).notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.job, t.startedAt] }),
    check('job_runs_state', sql`${t.state} in ('done', 'more', 'failed')`),
  ],
)
