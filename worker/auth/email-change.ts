import { and, eq, gt, isNotNull, isNull, sql } from 'drizzle-orm'
import { prepare } from '../db/client'
import type { Deps } from '../deps'
import { strangerEmailQuotas } from '../email/email-quotas'
import { enqueueEmail } from '../email/outbox'
import { AppError } from '../lib/app-error'
import { DAY_MS, type Millis } from '../lib/clock'
import { sha256 } from '../lib/crypto'
import { mailboxKey, normalizeKey } from '../lib/email'
import { consumeQuotas, QUOTAS, quotaUse, rateLimitedError } from '../quotas/quotas'
import { siteNameColumn } from '../site/site'
import { awardReferrer, referralHashes } from '../users/referrals'
import { users } from '../users/users.table'
import { emailChanges } from './auth.table'
import { deleteCredentials } from './credentials'
import type { Caller } from './current-user'
import { emailConfirmedStatements } from './email-confirmed'
import { createEmailToken, EMAIL_TOKEN_TTL_MS, invalidLinkError } from './email-links'
import { emailChangedEmail, newAddressEmail } from './emails'
import { readSecondFactorStatus, requireSecondFactor } from './second-factor'
import { type LinkCaller, requireAccountHolder } from './verify-email'

const UNDO_TTL_MS: Millis = 7 * DAY_MS

const addressTakenError = () => new AppError('email_taken', 'Another account has that address.')

function rethrowAddressTaken(error: Error): never {
  throw error.message.includes('users.email_key') ? addressTakenError() : error
}

/**
 * Emails a link to the new address; the account keeps its address until that link is confirmed. Replaces an earlier
 * request.
 * @throws AppError `conflict`, `email_taken`, `rate_limited`.
 */
export async function requestEmailChange(
  { db, secret, origin }: Pick<Deps, 'db' | 'secret' | 'origin'>,
  { userId, email: currentEmail }: Pick<Caller, 'userId' | 'email'>,
  email: string,
  now: Millis,
): Promise<void> {
  const key = normalizeKey(email)
  if (key === normalizeKey(currentEmail)) throw new AppError('conflict', 'That is already your address.')
  const { siteName, isTaken } = await db.get<{ siteName: string; isTaken: number }>(sql`
    SELECT ${siteNameColumn} AS siteName, ${isAddressTaken(key, now)} AS isTaken`)
  if (isTaken) throw addressTakenError()
  const quota = QUOTAS.emailChangesPerAccount
  const uses = [await quotaUse(secret, quota, String(userId)), ...(await strangerEmailQuotas(secret, email))]
  if (!(await consumeQuotas({ db }, uses, now)))
    throw rateLimitedError('We cannot email another link today. If you already have one, please use the newest.', quota)
  const { token, hash } = await createEmailToken()
  await db.$client.batch([
    prepare(db, sql`DELETE FROM email_changes WHERE user_id = ${userId} AND confirmed_at IS NULL`),
    prepare(
      db,
      sql`INSERT INTO email_changes (hash, user_id, new_email, expires_at)
        VALUES (${hash}, ${userId}, ${email}, ${now + EMAIL_TOKEN_TTL_MS.verify})`,
    ),
    enqueueEmail(db, {
      to: email,
      email: newAddressEmail({ siteName, origin, token }),
      dedupeKey: `email_change:${hash}`,
      at: now,
    }),
  ])
}

/** SQL: an account has the address, or can restore it with an undo link. */
export const isAddressTaken = (emailKey: string, now: Millis) => sql`(
  EXISTS (SELECT 1 FROM users WHERE email_key = ${emailKey})
  OR EXISTS (SELECT 1 FROM email_changes WHERE old_email_key = ${emailKey} AND expires_at > ${now}))`

/** The pending change of a link; undefined if there is none, it has expired, or the account is not active. */
async function findPendingChange({ db }: Pick<Deps, 'db'>, hash: string, now: Millis) {
  const [change] = await db
    .select({
      userId: users.id,
      username: users.username,
      newEmail: emailChanges.newEmail,
      oldEmail: users.email,
      isOldConfirmed: isNotNull(users.emailVerifiedAt).mapWith(Boolean),
      siteName: siteNameColumn,
    })
    .from(emailChanges)
    .innerJoin(users, and(eq(users.id, emailChanges.userId), isNull(users.bannedAt), isNull(users.erasedAt)))
    .where(and(eq(emailChanges.hash, hash), isNull(emailChanges.confirmedAt), gt(emailChanges.expiresAt, now)))
  return change
}

/**
 * Gives the account its new address and ends every session. Emails an undo link to the old address if it was confirmed.
 * @returns the account's new session values; null if the token belongs to no pending change.
 * @throws AppError as `verifyEmail`; `email_taken` if another account took the address meanwhile.
 */
export async function confirmEmailChange(
  deps: Pick<Deps, 'db' | 'secret' | 'origin'>,
  token: string,
  caller: LinkCaller,
  now: Millis,
): Promise<{ id: number; epoch: number; mailboxKey: string } | null> {
  const { db, origin } = deps
  const hash = await sha256(token)
  const change = await findPendingChange(deps, hash, now)
  if (!change) return null
  const { userId, newEmail, oldEmail, isOldConfirmed, siteName } = change
  await requireAccountHolder(deps, change, caller, now)
  const undo = isOldConfirmed && oldEmail ? { email: oldEmail, ...(await createEmailToken()) } : null
  const newMailboxKey = mailboxKey(newEmail)
  const confirm = db
    .update(emailChanges)
    .set({
      confirmedAt: now,
      oldEmail: undo?.email ?? null,
      oldEmailKey: undo && normalizeKey(undo.email),
      undoHash: undo?.hash ?? null,
      expiresAt: undo ? now + UNDO_TTL_MS : now,
    })
    .where(and(eq(emailChanges.hash, hash), isNull(emailChanges.confirmedAt)))
  const results = await db.$client
    .batch([
      prepare(db, confirm.getSQL()),
      // Changes nothing if a concurrent request confirmed the change.
      prepare(
        db,
        sql`UPDATE users SET email = ${newEmail}, email_key = ${normalizeKey(newEmail)}, mailbox_key = ${newMailboxKey},
            email_verified_at = ${now}, session_epoch = session_epoch + 1
          WHERE id = ${userId} AND erased_at IS NULL AND changes() > 0 RETURNING session_epoch AS epoch`,
      ),
      prepare(db, sql`DELETE FROM mail_tokens WHERE user_id = ${userId}`),
      awardReferrer(db, { id: userId }, now, await referralHashes(deps, { userId, mailboxKey: newMailboxKey })),
      ...(await emailConfirmedStatements(deps, { userId, email: newEmail, mailboxKey: newMailboxKey }, now)),
      ...(undo
        ? [
            enqueueEmail(db, {
              to: undo.email,
              email: emailChangedEmail({ siteName, origin, token: undo.token }),
              dedupeKey: `email_changed:${hash}`,
              at: now,
            }),
          ]
        : []),
    ])
    .catch(rethrowAddressTaken)
  const [updated] = (results[1]?.results ?? []) as { epoch: number }[]
  if (!updated) throw invalidLinkError()
  return { id: userId, epoch: updated.epoch, mailboxKey: newMailboxKey }
}

/** Deletes a pending change, for the owner of the new mailbox. Returns false if the token belongs to none. */
export async function cancelEmailChange({ db }: Pick<Deps, 'db'>, token: string): Promise<boolean> {
  const deleted = await db
    .delete(emailChanges)
    .where(and(eq(emailChanges.hash, await sha256(token)), isNull(emailChanges.confirmedAt)))
    .returning({ hash: emailChanges.hash })
  return deleted.length > 0
}

/**
 * Restores the old address, for the owner of its mailbox. Ends every session and deletes the password and the other
 * credentials, which a stranger may know, but not a second factor, which is required.
 * @throws AppError `bad_token`, `email_taken`; as `requireSecondFactor`.
 */
export async function undoEmailChange(
  { db, secret }: Pick<Deps, 'db' | 'secret'>,
  { token, secondFactorCode }: { token: string; secondFactorCode?: string | undefined },
  now: Millis,
): Promise<void> {
  const undoHash = await sha256(token)
  const [change] = await db
    .select({ userId: emailChanges.userId, oldEmail: emailChanges.oldEmail })
    .from(emailChanges)
    .innerJoin(users, and(eq(users.id, emailChanges.userId), isNull(users.bannedAt), isNull(users.erasedAt)))
    .where(and(eq(emailChanges.undoHash, undoHash), gt(emailChanges.expiresAt, now)))
  if (!change?.oldEmail) throw invalidLinkError()
  const { userId, oldEmail } = change
  await requireSecondFactor({ db, secret }, userId, secondFactorCode, now)
  const { enabled: keepSecondFactor } = await readSecondFactorStatus(db, userId)
  const isUndoable = sql`EXISTS (SELECT 1 FROM email_changes WHERE undo_hash = ${undoHash})`
  const update = sql`UPDATE users SET email = ${oldEmail}, email_key = ${normalizeKey(oldEmail)},
      mailbox_key = ${mailboxKey(oldEmail)}, email_verified_at = ${now}, password_hash = NULL,
      session_epoch = session_epoch + 1
    WHERE id = ${userId} AND erased_at IS NULL AND ${isUndoable} RETURNING id`
  const [updated] = await db.$client
    .batch([
      prepare(db, update),
      ...deleteCredentials(db, userId, isUndoable, { keepSecondFactor }),
      prepare(db, sql`DELETE FROM mail_tokens WHERE user_id = ${userId} AND ${isUndoable}`),
      // All changes of the account, so that links in the other mailbox stop working.
      prepare(db, sql`DELETE FROM email_changes WHERE user_id = ${userId} AND ${isUndoable}`),
    ])
    .catch(rethrowAddressTaken)
  if (!updated?.results.length) throw invalidLinkError()
}
