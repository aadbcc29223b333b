import { enqueueEmail } from '../email/outbox'
import { AppError } from '../lib/app-error'
import type { Millis } from '../lib/clock'
import { sha256 } from '../lib/crypto'
import { awardReferrer } from '../users/referrals'
import { clearAttempts } from './attempts'
import { isCommonPassword } from './common-passwords'
import type { Caller } from './current-user'
import { type Deps, findTokenOwner, invalidLinkError } from './email-links'
import { passwordChangedEmail } from './emails'
import { loginAttemptKeys } from './login'
import { hashPassword } from './password'
import { reauthenticate, requireRecentAuthentication } from './reauthentication'
import { revokeAllSessions } from './sessions'

/**
 * Sets a new password and ends every session of the account. An account without a password needs a recent login
 * instead.
 * @returns the new epoch, for a new session.
 * @throws AppError `bad_credentials`, `confirm_required`, `rate_limited`, `bad_input`.
 */
export async function changePassword(
  { db, secret, origin }: Deps,
  caller: Caller,
  { current, password }: { current?: string; password: string },
  now: Millis,
): Promise<{ epoch: number }> {
  const user = await db
    .prepare(
      "SELECT password_hash IS NOT NULL AS hasPassword, coalesce((SELECT name FROM site), 'This site') AS siteName FROM users WHERE id = ?1",
    )
    .bind(caller.userId)
    .first<{ hasPassword: number; siteName: string }>()
  if (!user) throw new Error('The caller has no row.')
  if (user.hasPassword) await reauthenticate({ db, secret }, caller, { password: current ?? '' }, now)
  else requireRecentAuthentication(caller.session, now)
  rejectCommonPassword(password, [caller.username, caller.email.split('@')[0] ?? '', user.siteName])
  const email = passwordChangedEmail({ siteName: user.siteName, origin, username: caller.username })
  const epoch = await revokeAllSessions(db, caller, now, await hashPassword(password), [
    db
      .prepare("UPDATE mail_tokens SET used_at = ?2 WHERE user_id = ?1 AND purpose = 'reset' AND used_at IS NULL")
      .bind(caller.userId, now),
    ...(caller.email
      ? [
          enqueueEmail(db, {
            to: caller.email,
            email,
            dedupeKey: `changed:${caller.session.sid}:${now}`,
            at: now,
          }),
        ]
      : []),
  ])
  return { epoch }
}

/** @param known public words, such as the username. @throws AppError `bad_input` for a common password. */
export function rejectCommonPassword(password: string, knownWords: readonly string[]): void {
  if (isCommonPassword(password, knownWords))
    throw new AppError('bad_input', 'That password is easily guessed. Please choose another.')
}

/**
 * Sets a new password with an emailed token, ends every session, verifies the mailbox and clears the attempt counters
 * of the owner and this `network`.
 * @returns the user id.
 * @throws AppError `bad_token`; `bad_input` for a common password (the token stays valid).
 */
export async function resetPassword(
  { db, secret, origin }: Deps,
  { token, password, network }: { token: string; password: string; network: string },
  now: Millis,
): Promise<number> {
  const hash = await sha256(token)
  const owner = await findTokenOwner(db, hash, 'reset', now)
  if (!owner || owner.used) throw invalidLinkError()
  const { userId, username, email, siteName } = owner
  rejectCommonPassword(password, [username, email.split('@')[0] ?? '', siteName])
  const passwordHash = await hashPassword(password)
  const attemptKeys = await loginAttemptKeys(secret, `user ${userId}`, network)
  const [changed] = await db.batch([
    db
      .prepare(
        `UPDATE users SET password_hash = ?2, session_epoch = session_epoch + 1, email_verified_at = coalesce(email_verified_at, ?3)
         WHERE id = ?1 AND erased_at IS NULL AND EXISTS (SELECT 1 FROM mail_tokens WHERE hash = ?4 AND used_at IS NULL) RETURNING id`,
      )
      .bind(userId, passwordHash, now, hash),
    // Deletes all reset tokens of the account, so that older links stop working.
    db
      .prepare("UPDATE mail_tokens SET used_at = ?2 WHERE user_id = ?1 AND purpose = 'reset' AND used_at IS NULL")
      .bind(userId, now),
    awardReferrer(db, { id: userId }, now),
    ...Object.values(attemptKeys).map((key) => clearAttempts(db, key)),
    enqueueEmail(db, {
      to: email,
      email: passwordChangedEmail({ siteName, origin, username }),
      dedupeKey: `changed:${hash}`,
      at: now,
    }),
  ])
  if (!changed?.results.length) throw invalidLinkError()
  return userId
}
