import { sql } from 'drizzle-orm'
import { check, integer, sqliteTable } from 'drizzle-orm/sqlite-core'

/**
 * One row: a version that triggers increment on every change to public content (migrations since 0015).
 * Counters (plays, likes, votes, points) do not change it: responses with them are reloaded every few seconds.
 */
export const dataVersion = sqliteTable(
  'data_version',
  {
    id: integer('id').primaryKey(),
    version: integer('version').notNull(),
  },
  (t) => [check('data_version_single', sql`${t.id} = 1`)],
)
