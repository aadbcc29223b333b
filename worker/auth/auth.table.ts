import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { users } from '../users/users.table'

/**
 * Sessions that were logged out one by one. KV may go on serving a deleted session for a minute or more, so a session
 * stands only while it is not in here and its epoch is the user's (ruling 11). Rows outlive the session, then are swept.
 */
export const revokedSessions = sqliteTable(
  'revoked_sessions',
  {
    sid: text('sid').primaryKey(),
    expiresAt: integer('expires_at').notNull(),
  },
  (t) => [index('revoked_sessions_age').on(t.expiresAt)],
)

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
