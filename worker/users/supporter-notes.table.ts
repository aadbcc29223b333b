import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { users } from './users.table'

/** What the team notes about a supporter, who gets it in an export. */
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
