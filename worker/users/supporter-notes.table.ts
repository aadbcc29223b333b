import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { users } from './users.table'

/** Notes of the team about a supporter; part of the supporter's data export. */
export const supporterNotes = sqliteTable(
  'supporter_notes',
  {
    id: text('id').primaryKey(),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id),
    authorId: integer('author_id')
      .notNull()
      .references(() => users.id),
    text: text('text').notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [
    index('supporter_notes_of_user').on(t.userId, t.createdAt),
    index('supporter_notes_by_author').on(t.authorId),
  ],
)
