import { sql } from 'drizzle-orm'
import { check, integer, sqliteTable } from 'drizzle-orm/sqlite-core'

/**
 * One row: a number that moves with every change to what the public sees, whoever makes it. Kept by triggers on each
 * table of public content (migration 0015). What merely counts (plays, likes, votes, points) does not move it: answers
 * that show counts are made anew every few seconds anyway.
 */
export const dataVersion = sqliteTable(
  'data_version',
  {
    id: integer('id').primaryKey(),
    version: integer('version').notNull(),
  },
  (t) => [check('data_version_single', sql`${t.id} = 1`)],
)
