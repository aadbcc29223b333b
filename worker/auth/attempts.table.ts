import { sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** How often something was tried within a window: guesses at a password, mails to an address. Swept when over. */
export const attempts = sqliteTable(
  'attempts',
  {
    /** `<what>:<keyed hash>`: names and addresses are not kept, people type passwords into name fields. */
    key: text('key').primaryKey(),
    count: integer('count').notNull(),
    expiresAt: integer('expires_at').notNull(),
  },
  (t) => [check('attempts_count', sql`${t.count} > 0`), index('attempts_age').on(t.expiresAt)],
)
