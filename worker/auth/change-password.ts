import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import { prepare } from '../db/client'
import type { Deps } from '../deps'
import { enqueueNotice } from '../email/outbox'
import { AppError } from '../lib/app-error'
import type { Millis } from '../lib/clock'
import { sha256 } from '../lib/crypto'
import { resetQuotaStatement } from '../quotas/quotas'
import { siteNameColumn } from '../site/site'
import { awardReferrer, disqualifyTakenOverReferral, referralHashes } from '../users/referrals'
import { users } from '../users/users.table'
import { emailTokens } from './auth.table'
import { isCommonPassword } from './common-passwords'
import { deleteCredentials, deletePendingEmailChanges, unlinkGoogle } from './credentials'
import type { Caller } from './current-user'
import { emailConfirmedStatements } from './email-confirmed'
import { findTokenOwner, invalidLinkError, markTokensUsed } from './email-links'
import { passwordChangedEmail } from './emails'
import { loginQuotas } from './login'
import { hashPassword } from './password'
import { requireRecentAuthentication, verifyPasswordOrCode } from './reauthentication'
import { requireSecondFactor } from './second-factor'
import { hasEpochOf, revokeAllSessions } from './sessions'

/**
 * Sets a new password and ends every session of the account. Unlinks Google from an administrator's account. Requires
 * the `current` password or, if the account has none, recent authentication.
 * @returns the new epoch, for a new session.
 * @throws AppError `bad_credentials`, `recent_auth_required`, `rate_limited`, `bad_input`.
 */
export async function changePassword(
  { db, secret, origin }: Pick<Deps, 'db' | 'secret' | 'origin'>,
  caller: Caller,
  { current, password }: { current?: string; password: string },
  now: Millis,
): Promise<{ epoch: number }> {
  const [user] = await db
    .select({ hasPassword: isNotNull(users.passwordHash).mapWith(Boolean), siteName: siteNameColumn })
    .from(users)
    .where(eq(users.id, caller.userId))
  if (!user) throw new Error('The caller has no row.')
  if (user.hasPassword) await verifyPasswordOrCode({ db, secret }, caller, { password: current ?? '' }, now)
  else requireRecentAuthentication(caller.session, now)
  rejectCommonPassword(password, [caller.username, caller.email.split('@')[0] ?? '', user.siteName])
  const email = passwordChangedEmail({ siteName: user.siteName, origin, username: caller.username })
  const { userId } = caller
  const hasCurrentEpoch = hasEpochOf(caller)
  const isSessionCurrent = sql`EXISTS (SELECT 1 FROM users WHERE id = ${userId} AND ${hasCurrentEpoch})`
  const epoch = await revokeAllSessions(db, caller, now, {
    passwordHash: await hashPassword(password),
    before: [
      markTokensUsed(db, and(resetTokensOf(userId), isSessionCurrent), now),
      deletePendingEmailChanges(db, userId, hasCurrentEpoch),
      unlinkGoogle(db, userId, sql`${isAdministrator} AND ${hasCurrentEpoch}`),
      // No notice to an unconfirmed address, which may belong to a stranger.
      ...(caller.emailVerified
        ? [enqueueNotice(db, userId, { to: caller.email, email, at: now, when: isSessionCurrent })]
        : []),
    ],
  })
  return { epoch }
}

const isAdministrator = sql`role = 'administrator'`
const resetTokensOf = (userId: number) => and(eq(emailTokens.userId, userId), eq(emailTokens.purpose, 'reset'))

/**
 * @param knownWords public words that guesses begin with, such as the username.
 * @throws AppError `bad_input` for a common password.
 */
export function rejectCommonPassword(password: string, knownWords: readonly string[]): void {
  if (isCommonPassword(password, knownWords))
    throw new AppError('bad_input', 'That password is easily guessed. Please choose another.')
}

/**
 * Sets a new password with an emailed token, confirms the address and ends every session. Unlinks Google from an
 * administrator's account. Deletes all other credentials of an unconfirmed account, which a stranger may have created.
 * @returns the user id.
 * @throws AppError `bad_token`; as `requireSecondFactor`; `bad_input` for a common password (the token stays valid).
 */
export async function resetPassword(
  { db, secret, origin }: Pick<Deps, 'db' | 'secret' | 'origin'>,
  {
    token,
    password,
    secondFactorCode,
    network,
  }: { token: string; password: string; secondFactorCode?: string | undefined; network: string },
  now: Millis,
): Promise<number> {
  const hash = await sha256(token)
  const owner = await findTokenOwner(db, hash, 'reset', now)
  if (!owner || owner.isUsed) throw invalidLinkError()
  const { userId, username, email, siteName } = owner
  rejectCommonPassword(password, [username, email.split('@')[0] ?? '', siteName])
  if (owner.isVerified) await requireSecondFactor({ db, secret }, userId, secondFactorCode, now)
  const passwordHash = await hashPassword(password)
  const loginUses = await loginQuotas(secret, `user ${userId}`, network)
  const isTokenUnused = sql`EXISTS (SELECT 1 FROM mail_tokens WHERE hash = ${hash} AND used_at IS NULL)`
  const update = db
    .update(users)
    .set({
      passwordHash,
      sessionEpoch: sql`session_epoch + 1`,
      emailVerifiedAt: sql`coalesce(email_verified_at, ${now})`,
    })
    .where(and(eq(users.id, userId), isNull(users.erasedAt), isTokenUnused))
    .returning({ id: users.id })
  const isUnconfirmed = sql`email_verified_at IS NULL AND ${isTokenUnused}`
  const statementsBeforeUpdate = [
    ...deleteCredentials(db, userId, isUnconfirmed),
    unlinkGoogle(db, userId, sql`${isAdministrator} AND ${isTokenUnused}`),
    deletePendingEmailChanges(db, userId, isTokenUnused),
    disqualifyTakenOverReferral(db, userId, isTokenUnused, now),
  ]
  const results = await db.$client.batch([
    ...statementsBeforeUpdate,
    prepare(db, update.getSQL()),
    awardReferrer(db, { id: userId }, now, await referralHashes({ db, secret }, owner)),
    ...(await emailConfirmedStatements({ db, secret }, { ...owner, isTakeover: !owner.isVerified }, now)),
    ...Object.values(loginUses).map((use) => resetQuotaStatement(db, use, isTokenUnused)),
    enqueueNotice(db, userId, {
      to: email,
      // If the address was unconfirmed until this reset, a stranger may have chosen the username.
      email: passwordChangedEmail({ siteName, origin, username: owner.isVerified ? username : null }),
      at: now,
      when: isTokenUnused,
    }),
    // Last, because the other statements check the token. Marks all reset tokens, so that older links stop working.
    markTokensUsed(db, and(resetTokensOf(userId), isTokenUnused), now),
  ])
  if (!results[statementsBeforeUpdate.length]?.results.length) throw invalidLinkError()
  return userId
}
