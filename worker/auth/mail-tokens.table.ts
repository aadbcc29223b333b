import { sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { users } from '../users/users.table'

/** Secrets that were mailed: links to verify an address or set a password, codes to confirm an act. Used once. */
export const mailTokens = sqliteTable(
  'mail_tokens',
  {
    /** SHA-256 of the secret; the secret itself is in the mail alone. */
    hash: text('hash').primaryKey(),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id),
    purpose: text('purpose', { enum: ['verify', 'reset', 'confirm'] }).notNull(),
    /** The address it was mailed to: it proves nothing once the account has another. */
    emailKey: text('email_key').notNull(),
    expiresAt: integer('expires_at').notNull(),
    usedAt: integer('used_at'),
  },
  (t) => [
    check('mail_tokens_purpose', sql`${t.purpose} in ('verify', 'reset', 'confirm')`),
    index('mail_tokens_of_user').on(t.userId, t.purpose),
    index('mail_tokens_age').on(t.expiresAt),
  ],
)
