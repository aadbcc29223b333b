import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { users } from '../users/users.table'

/** Accounts elsewhere that log in here, by the issuer's own unchanging subject and never by e-mail address. */
export const identities = sqliteTable(
  'identities',
  {
    /** `google`. */
    provider: text('provider').notNull(),
    subject: text('subject').notNull(),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.provider, t.subject] }), index('identities_of_user').on(t.userId)],
)
