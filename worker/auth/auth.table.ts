import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { users } from '../users/users.table'

/**
 * Sessions that were logged out. KV may serve a deleted session for a minute or more, so a session is active only if it
 * is not listed here and its epoch is the user's.
 */
export const revokedSessions = sqliteTable(
  'revoked_sessions',
  {
    sid: text('sid').primaryKey(),
    expiresAt: integer('expires_at').notNull(),
  },
  (t) => [index('revoked_sessions_age').on(t.expiresAt)],
)

/** External accounts for login, identified by the issuer's subject, never by email address. */
export const identities = sqliteTable(
  'identities',
  {
    provider: text('provider').notNull(),
    subject: text('subject').notNull(),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.provider, t.subject] }), index('identities_of_user').on(t.userId)],
)

/** Emailed secrets. Reset links and re-authentication codes work once; a verification link can be opened again. */
export const emailTokens = sqliteTable(
  'mail_tokens',
  {
    /** SHA-256 of a link's secret, keyed hash of a code. */
    hash: text('hash').primaryKey(),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id),
    /** `verify`: link that confirms the address; `reset`: link to set a password; `confirm`: re-authentication code. */
    purpose: text('purpose', { enum: ['verify', 'reset', 'confirm'] }).notNull(),
    /** The recipient; the token is invalid once the account has another address. */
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

/** An administrator's authenticator app (TOTP, RFC 6238), required once `confirmedAt` is set. */
export const authenticators = sqliteTable('authenticators', {
  userId: integer('user_id')
    .primaryKey()
    .references(() => users.id),
  /** The shared secret, encrypted with a key from SIGNING_SECRET. */
  encryptedSecret: text('sealed_secret').notNull(),
  confirmedAt: integer('confirmed_at'),
  /** The last accepted 30-second step: a code works once. */
  lastStep: integer('last_step').notNull().default(0),
})

/** Single-use codes for a lost authenticator. */
export const recoveryCodes = sqliteTable(
  'recovery_codes',
  {
    userId: integer('user_id')
      .notNull()
      .references(() => users.id),
    hash: text('hash').notNull(),
    usedAt: integer('used_at'),
  },
  (t) => [primaryKey({ columns: [t.userId, t.hash] })],
)

/** Email address changes, from the request until the undo link expires. */
export const emailChanges = sqliteTable(
  'email_changes',
  {
    /** SHA-256 of the secret that confirms the new address. */
    hash: text('hash').primaryKey(),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id),
    newEmail: text('new_email').notNull(),
    /** When the confirmation link expires; after the change, when the undo link does. */
    expiresAt: integer('expires_at').notNull(),
    confirmedAt: integer('confirmed_at'),
    /** The address before the change, if it was confirmed. Null while the change is pending. */
    oldEmail: text('old_email'),
    oldEmailKey: text('old_email_key'),
    /** SHA-256 of the secret that undoes the change. */
    undoHash: text('undo_hash').unique(),
  },
  (t) => [
    index('email_changes_of_user').on(t.userId),
    index('email_changes_age').on(t.expiresAt),
    index('email_changes_by_old_address').on(t.oldEmailKey).where(sql`old_email_key is not null`),
  ],
)

/** Passkey challenges and administrators' Google sign-ins that were used: each works once. */
export const usedOneTimeValues = sqliteTable(
  'used_passkey_challenges',
  {
    challenge: text('challenge').primaryKey(),
    expiresAt: integer('expires_at').notNull(),
  },
  (t) => [index('used_passkey_challenges_age').on(t.expiresAt)],
)
