import { sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { users } from '../users/users.table'

/** WebAuthn credentials of users. */
export const passkeys = sqliteTable(
  'passkeys',
  {
    /** Credential id, base64url. */
    id: text('id').primaryKey(),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id),
    /** COSE key, base64url. */
    publicKey: text('public_key').notNull(),
    /** Signature counter of the last use; 0 for authenticators without one. */
    counter: integer('counter').notNull(),
    transports: text('transports', { mode: 'json' }).$type<string[]>().notNull(),
    name: text('name').notNull(),
    createdAt: integer('created_at').notNull(),
    lastUsedAt: integer('last_used_at'),
  },
  (t) => [index('passkeys_of_user').on(t.userId), check('passkeys_transports', sql`json_valid(${t.transports})`)],
)
