import { sql } from 'drizzle-orm'
import { recordAuditIfChanged } from '../audit/audit'
import { RETENTION } from '../contract/retention'
import { type BatchResult, batchResult } from '../db/cleanup-batches'
import type { Deps } from '../deps'
import { enqueueEmail } from '../email/outbox'
import { DAY_MS, type Millis, toIso } from '../lib/clock'
import { normalizeKey } from '../lib/email'
import { erasureKey, type IdentityKeys, suppressionHash } from '../lib/keyed-hashes'
import { isNotLastOwner } from '../users/last-owner'
import { ERASURE_RECEIPT_KIND, erasureReceiptEmail } from './emails'
import type { UserSubject } from './personal-data'
import { eraseStatements, toStatement, withGuard } from './personal-data-registry'

/** A user as the subject of an export or an erasure. Data is found by the user's address only if they confirmed it. */
export function userSubject(userId: number, at: Millis, identity: IdentityKeys): UserSubject {
  const emailKey = sql`SELECT email_key FROM users WHERE id = ${userId} AND email_verified_at IS NOT NULL`
  return {
    userId,
    inquiryId: null,
    at,
    emailKey,
    emailSpellings: sql`${emailKey} UNION SELECT lower(email) FROM users WHERE id = ${userId} AND email_verified_at IS NOT NULL`,
    phoneHashes: sql`SELECT phone_hash AS hash FROM users WHERE id = ${userId}`,
    identity,
  }
}

const RECEIPT_BATCH_SIZE = 1_000
type UserRow = IdentityKeys & { email: string | null; isConfirmed: number; siteName: string }

type EraseInput = {
  userId: number
  byUserRequest: boolean
  /** Erase only if the user was not active after this time. */
  inactiveSince?: Millis
  /** Erase only while the address is not confirmed. */
  onlyUnconfirmed?: boolean
  /** The administrator who erased the user on request, for the audit log. */
  administratorId?: number
}

/**
 * Deletes everything that identifies a user, and ends all sessions. The row remains without a name, so that votes and
 * points still count. A confirmed address gets a receipt; afterwards its keyed hash suppresses emails.
 * @returns false for an erased or unknown user, for the team's last owner, or if a condition of the input does not
 * hold.
 */
export async function eraseUser(
  { db, secret }: Pick<Deps, 'db' | 'secret'>,
  { userId, byUserRequest, inactiveSince, onlyUnconfirmed = false, administratorId }: EraseInput,
  now: Millis,
): Promise<boolean> {
  const d1 = db.$client
  const user = await d1
    .prepare(
      `SELECT email, email_verified_at IS NOT NULL AS isConfirmed, mailbox_key AS mailboxKey, phone_hash AS phoneHash,
         coalesce((SELECT name FROM site), 'This site') AS siteName
       FROM users WHERE id = ?1`,
    )
    .bind(userId)
    .first<UserRow>()
  const confirmedEmail = user?.isConfirmed ? user.email : null
  const suppressedHash = confirmedEmail ? await suppressionHash(secret, normalizeKey(confirmedEmail)) : null
  const subject = userSubject(userId, now, user ?? { mailboxKey: null, phoneHash: null })
  const guard = sql`EXISTS (SELECT 1 FROM users WHERE id = ${userId} AND erased_at IS NULL
    ${inactiveSince === undefined ? sql`` : sql`AND last_active_at <= ${inactiveSince}`}
    ${onlyUnconfirmed ? sql`AND email_verified_at IS NULL` : sql``}
    AND ${isNotLastOwner(userId)})`
  const statements = [
    ...(await eraseStatements(subject, { db, secret })),
    sql`INSERT INTO suppressions (hash, created_at) SELECT ${suppressedHash}, ${now} WHERE ${suppressedHash} IS NOT NULL`,
    sql`INSERT INTO recent_erasures (key, erased_at) SELECT ${await erasureKey(secret, userId)}, ${now} WHERE true`,
  ].map((statement) => toStatement(db, withGuard(statement, guard)))
  // Runs after the statements above, which find data by the address in this row.
  const emptyUserRow = sql`UPDATE users SET username = 'deleted-' || id, username_key = 'deleted:' || id, email = NULL, email_key = NULL,
      mailbox_key = NULL, email_verified_at = NULL, password_hash = NULL, phone_hash = NULL, phone_last2 = NULL,
      referral_code = NULL, leaderboard_opt_out = 1, role = 'supporter', session_epoch = session_epoch + 1,
      age_confirmed_at = NULL, age_wording = NULL, inactivity_warned_at = NULL, erased_at = ${now} WHERE id = ${userId}`
  const audit = { action: 'supporter.erased', subject: `user:${userId}`, at: now }
  const results = await d1.batch([
    ...statements,
    toStatement(db, sql`${withGuard(emptyUserRow, guard)} RETURNING id`),
    ...(administratorId === undefined ? [] : [recordAuditIfChanged(db, { ...audit, actorId: administratorId })]),
    // An unconfirmed address gets no receipt: repeated sign-ups and deletions could send any number of emails to it.
    ...(user && confirmedEmail
      ? [
          enqueueEmail(d1, {
            to: confirmedEmail,
            email: erasureReceiptEmail({ siteName: user.siteName, at: toIso(now), byUserRequest }),
            dedupeKey: `${ERASURE_RECEIPT_KIND}:${userId}`,
            at: now,
            ifChanged: true,
          }),
        ]
      : []),
  ])
  return results[statements.length]?.results.length === 1
}

/** Deletes erasure receipts once they were sent, or could not be sent within a week. */
export async function deleteErasureReceipts({ db }: Pick<Deps, 'db'>, at: Millis): Promise<BatchResult> {
  const deleted = await db.$client
    .prepare(
      `DELETE FROM outbox WHERE id IN (
         SELECT id FROM outbox WHERE kind = '${ERASURE_RECEIPT_KIND}' AND (state = 'sent' OR created_at <= ?1) LIMIT ${RECEIPT_BATCH_SIZE})
       RETURNING id`,
    )
    .bind(at - RETENTION.emailBodyDays * DAY_MS)
    .all()
  return batchResult(deleted, RECEIPT_BATCH_SIZE)
}
