import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { users } from '../users/users.table'

/** An administrator's authenticator app (TOTP, RFC 6238). Asked for once `confirmedAt` is set. */
export const authenticators = sqliteTable('authenticators', {
  userId: integer('user_id')
    .primaryKey()
    .references(() => users.id),
  /** The shared secret, encrypted with a key from SIGNING_SECRET. */
  sealedSecret: text('sealed_secret').notNull(),
  confirmedAt: integer('confirmed_at'),
  /** The last 30-second step that was accepted: a code works once. */
  lastStep: integer('last_step').notNull().default(0),
})

/** One-use codes for the day the phone is lost. */
export const recoveryCodes = sqliteTable(
  'recovery_codes',
  {
    userId: integer('user_id')
      .notNull()
      .references(() => users.id),
    /** SHA-256 of the code. */
    hash: text('hash').notNull(),
    usedAt: integer('used_at'),
  },
  (t) => [primaryKey({ columns: [t.userId, t.hash] })],
)
