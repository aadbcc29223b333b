import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Erased users and addresses under keyed hashes, copied to R2. A restore of an older archive erases them again. */
export const recentErasures = sqliteTable(
  'recent_erasures',
  {
    key: text('key').primaryKey(),
    erasedAt: integer('erased_at').notNull(),
    /** When it was copied to R2, which survives the loss of the database. */
    copiedAt: integer('copied_at'),
  },
  (t) => [index('recent_erasures_by_age').on(t.erasedAt)],
)
