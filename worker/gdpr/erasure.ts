import { recordAuditIfChanged } from '../audit/audit'
import { ERASURE_RECEIPT_KIND, erasureReceiptEmail } from '../auth/emails'
import { requesterHash } from '../concerts/city-requests'
import { enqueueEmail } from '../email/outbox'
import { AppError } from '../lib/app-error'
import type { Millis } from '../lib/clock'
import { normalizeKey } from '../lib/email'
import { identityHashes, suppressionHash } from '../lib/keyed-hashes'
import { trialHashes } from '../subscriptions/subscriptions'
import { ERASE_USER_STATEMENTS } from './erase-user-statements'

type ErasedUser = {
  email: string | null
  isTheirs: number
  mailboxKey: string | null
  phoneHash: string | null
  siteName: string
}

/**
 * Erases a person (ruling 28): the row stays without a name, so that votes and the ledger stay counted; everything that
 * tells who it was is gone, and every session with it. A feature that stores something about people adds its statement
 * to forgotten.ts and its query to own-data.ts; what is found by an address, to by-address.ts.
 * A keyed hash of the address is kept so that nothing is ever sent there again; the receipt is the last mail, and says
 * whether the person asked. `by` is the administrator who does it for them, which is written down with it.
 * @throws AppError `conflict` for the last administrator: somebody must be able to open the desk.
 */
export async function eraseAccount(
  { db, secret }: { db: D1Database; secret: string },
  {
    userId,
    byUserRequest,
    silentSince,
    administratorId,
  }: { userId: number; byUserRequest: boolean; silentSince?: Millis; administratorId?: number },
  now: Millis,
): Promise<void> {
  const user = await db
    .prepare(
      `SELECT email, email_verified_at IS NOT NULL AS isTheirs, mailbox_key AS mailboxKey, phone_hash AS phoneHash,
         coalesce((SELECT name FROM site), 'This site') AS siteName
       FROM users WHERE id = ?1`,
    )
    .bind(userId)
    .first<ErasedUser>()
  const suppressed = user?.email && user.isTheirs ? await suppressionHash(secret, normalizeKey(user.email)) : null
  const binds = [
    userId,
    now,
    await requesterHash(secret, { userId, address: '', at: now }),
    await trialHashes(secret, user ?? { mailboxKey: null, phoneHash: null }),
    await identityHashes(secret, 'referral', user ?? { mailboxKey: null, phoneHash: null }),
  ]
  // Who came back while the list of the silent was being worked off stays.
  const inactiveSql = silentSince === undefined ? '' : ` AND last_active_at <= ${Number(silentSince)}`
  const mayGo = `EXISTS (SELECT 1 FROM users WHERE id = ?1 AND erased_at IS NULL${inactiveSql} AND (role <> 'administrator' OR EXISTS (
    SELECT 1 FROM users WHERE role = 'administrator' AND id <> ?1 AND erased_at IS NULL AND banned_at IS NULL)))`
  // The row goes after all that is found by its address; the receipt is written if it went.
  const results = await db.batch([
    ...eraseStatements(db, ERASE_USER_STATEMENTS, { binds, mayGo }),
    // Nothing tells any more who it was, and yet nothing is to be sent there.
    db
      .prepare(
        `INSERT INTO suppressions (hash, created_at) SELECT ?2, ?3 WHERE ?2 IS NOT NULL AND ${mayGo} ON CONFLICT DO NOTHING`,
      )
      .bind(userId, suppressed, now),
    db
      .prepare(
        `UPDATE users SET username = 'deleted-' || id, username_key = 'deleted:' || id, email = NULL, email_key = NULL,
           mailbox_key = NULL, email_verified_at = NULL, password_hash = NULL, phone_hash = NULL, phone_last2 = NULL,
           referral_code = NULL, leaderboard_opt_out = 1, role = 'supporter', session_epoch = session_epoch + 1,
           age_confirmed_at = NULL, age_wording = NULL, inactivity_warned_at = NULL, erased_at = ?2
         WHERE id = ?1 AND ${mayGo} RETURNING id`,
      )
      .bind(userId, now),
    ...(administratorId === undefined
      ? []
      : [
          recordAuditIfChanged(db, {
            actorId: administratorId,
            action: 'supporter.erased',
            subject: `user:${userId}`,
            at: now,
          }),
        ]),
    ...(user?.email ? [erasureReceipt(db, { ...user, email: user.email, userId, byUserRequest, at: now })] : []),
  ])
  if (!results.some(({ results: rows }) => rows.length > 0))
    throw new AppError('conflict', 'You are the last administrator. Please make somebody else one first.')
}

/** The statements that forget, each where `mayGo` (SQL) holds and with as many of `binds` as it names. */
export function eraseStatements(
  db: D1Database,
  statements: readonly string[],
  { binds, mayGo: guard }: { binds: readonly (string | number)[]; mayGo: string },
): D1PreparedStatement[] {
  return statements.map((statement) => {
    const sql = `${statement} AND ${guard}${statement.startsWith('INSERT') ? ' ON CONFLICT DO NOTHING' : ''}`
    const bindCount = Math.max(...[...sql.matchAll(/\?(\d)/g)].map(([, index]) => Number(index)))
    return db.prepare(sql).bind(...binds.slice(0, bindCount))
  })
}

/** The last mail to the address, if the account is gone; a daily job forgets it once it has been sent. */
function erasureReceipt(
  db: D1Database,
  {
    email,
    siteName,
    userId,
    byUserRequest,
    at,
  }: { email: string; siteName: string; userId: number; byUserRequest: boolean; at: Millis },
): D1PreparedStatement {
  const receiptEmail = erasureReceiptEmail({ siteName, at: new Date(at).toISOString(), byUserRequest })
  const message = { to: email, email: receiptEmail, dedupeKey: `${ERASURE_RECEIPT_KIND}:${userId}`, at }
  return enqueueEmail(db, { ...message, ifChanged: true })
}
