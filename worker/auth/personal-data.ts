import { type AnyColumn, lte, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { type BatchResult, combineResults } from '../db/cleanup-batches'
import type { Db } from '../db/client'
import { eraseAccountEmails } from '../email/personal-data'
import type { PersonalData } from '../gdpr/personal-data'
import { HOUR_MS, type Millis } from '../lib/clock'
import { attempts } from '../quotas/quotas.table'
import { emailChanges, emailTokens, revokedSessions, usedOneTimeValues } from './auth.table'

export const personalData: PersonalData = {
  name: 'auth',
  export: ({ userId }) => ({
    logins: sql`SELECT provider, created_at FROM identities WHERE user_id = ${userId}`,
    emailChanges: sql`SELECT new_email, old_email, confirmed_at FROM email_changes WHERE user_id = ${userId}`,
    passkeys: sql`SELECT name, created_at, last_used_at FROM passkeys WHERE user_id = ${userId}`,
    accessTokens: sql`SELECT name, scopes, created_at, expires_at, last_used_at FROM api_tokens WHERE user_id = ${userId}`,
  }),
  erase: ({ userId }) => [
    eraseAccountEmails(userId, [
      'verify',
      'reset',
      'confirm',
      'password_changed',
      'passkey_added',
      'passkey_removed',
      'token_created',
    ]),
    sql`DELETE FROM outbox WHERE +kind IN ('email_change', 'email_changed') AND lower(recipient) IN (
      SELECT lower(new_email) FROM email_changes WHERE user_id = ${userId}
      UNION SELECT lower(old_email) FROM email_changes WHERE user_id = ${userId})`,
    sql`DELETE FROM email_changes WHERE user_id = ${userId}`,
    sql`DELETE FROM mail_tokens WHERE user_id = ${userId}`,
    sql`DELETE FROM identities WHERE user_id = ${userId}`,
    sql`DELETE FROM authenticators WHERE user_id = ${userId}`,
    sql`DELETE FROM recovery_codes WHERE user_id = ${userId}`,
    sql`DELETE FROM passkeys WHERE user_id = ${userId}`,
    sql`DELETE FROM api_tokens WHERE user_id = ${userId}`,
  ],
  retention: [
    {
      name: 'Delete expired tokens, guesses and revocations',
      step: ({ db }, at) => deleteExpiredAuthRows(db, at),
    },
  ],
}

const DELETE_BATCH_SIZE = 2_000
/** Tolerance for slow clocks: a revocation or a used-up quota must not be deleted early. */
const EXPIRY_GRACE_MS: Millis = HOUR_MS

/** One bounded step: idempotent and safe to interrupt. */
async function deleteExpiredAuthRows(db: Db, at: Millis): Promise<BatchResult> {
  const until = at - EXPIRY_GRACE_MS
  return combineResults([
    await deleteExpired(db, attempts, attempts.expiresAt, until),
    await deleteExpired(db, emailChanges, emailChanges.expiresAt, until),
    await deleteExpired(db, emailTokens, emailTokens.expiresAt, until),
    await deleteExpired(db, revokedSessions, revokedSessions.expiresAt, until),
    await deleteExpired(db, usedOneTimeValues, usedOneTimeValues.expiresAt, until),
  ])
}

async function deleteExpired(db: Db, table: SQLiteTable, expiresAt: AnyColumn, until: Millis): Promise<BatchResult> {
  const expired = db.select({ rowid: sql`rowid` }).from(table).where(lte(expiresAt, until)).limit(DELETE_BATCH_SIZE)
  const { meta } = await db.delete(table).where(sql`rowid IN ${expired}`)
  return { affected: meta.changes, more: meta.changes >= DELETE_BATCH_SIZE }
}
