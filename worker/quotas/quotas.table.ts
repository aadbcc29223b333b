import { sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Counters per time window, such as password guesses or emails to an address. Deleting an account changes none. */
export const attempts = sqliteTable(
  'attempts',
  {
    /** `<name>:<keyed hash>` (`quotaUse`). Hashed, because users type passwords into name fields. */
    key: text('key').primaryKey(),
    count: integer('count').notNull(),
    expiresAt: integer('expires_at').notNull(),
  },
  (t) => [check('attempts_count', sql`${t.count} > 0`), index('attempts_age').on(t.expiresAt)],
)
