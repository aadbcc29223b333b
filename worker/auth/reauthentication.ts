import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import { emailError } from '../contract/credential-rules'
import { prepare } from '../db/client'
import type { Deps } from '../deps'
import { ownEmailQuotas } from '../email/email-quotas'
import { enqueueEmail } from '../email/outbox'
import { AppError } from '../lib/app-error'
import { MINUTE_MS, type Millis } from '../lib/clock'
import { sign } from '../lib/crypto'
import { consumeQuotas, QUOTAS, quotaUse, rateLimitedError } from '../quotas/quotas'
import { readSiteName } from '../site/site'
import { users } from '../users/users.table'
import { emailTokens } from './auth.table'
import type { Caller } from './current-user'
import { saveEmailToken } from './email-links'
import { reauthenticationCodeEmail } from './emails'
import { verifyPassword } from './password'
import { readSecondFactorStatus, requireSecondFactor, secondFactorRequiredError } from './second-factor'
import type { SessionPayload } from './sessions'

export const REAUTHENTICATION_TTL_MS: Millis = 15 * MINUTE_MS

export type ReauthenticationInput = ({ password: string } | { code: string }) & {
  secondFactorCode?: string | undefined
}

/** @throws AppError `recent_auth_required` if the session was not authenticated in the last 15 minutes. */
export function requireRecentAuthentication({ provenAt }: SessionPayload, now: Millis): void {
  if (now - provenAt > REAUTHENTICATION_TTL_MS)
    throw new AppError('recent_auth_required', 'Please confirm that it is you, then try again.')
}

/**
 * Checks a logged-in caller's password or emailed code, and an administrator's second factor.
 * @throws AppError `bad_credentials`, `rate_limited`, `second_factor_required`; `conflict` for an emailed code if the
 * account has other credentials.
 */
export async function reauthenticate(
  deps: Pick<Deps, 'db' | 'secret'>,
  caller: Pick<Caller, 'userId' | 'role' | 'usesEmailedCode'>,
  { secondFactorCode, ...input }: ReauthenticationInput,
  now: Millis,
): Promise<void> {
  if ('code' in input) requireNoOtherCredential(caller)
  const hasSecondFactor =
    caller.role === 'administrator' && (await readSecondFactorStatus(deps.db, caller.userId)).enabled
  if (hasSecondFactor && !secondFactorCode) throw secondFactorRequiredError()
  await verifyPasswordOrCode(deps, caller, input, now)
  if (hasSecondFactor) await requireSecondFactor(deps, caller.userId, secondFactorCode, now)
}

/** @throws AppError `conflict` for an account with a stronger credential than an emailed code. */
function requireNoOtherCredential({ usesEmailedCode }: Pick<Caller, 'usesEmailedCode'>): void {
  if (!usesEmailedCode)
    throw new AppError(
      'conflict',
      'Please confirm with your password, a passkey or Google. If none of them works, choose a new password with “Forgot password”.',
    )
}

/**
 * Checks the password or an emailed code, but no second factor. Counts the attempt before hashing.
 * @throws AppError `bad_credentials`, `rate_limited`.
 */
export async function verifyPasswordOrCode(
  { db, secret }: Pick<Deps, 'db' | 'secret'>,
  { userId }: Pick<Caller, 'userId'>,
  input: { password: string } | { code: string },
  now: Millis,
): Promise<void> {
  const quota = QUOTAS.reauthenticationsPerAccount
  if (!(await consumeQuotas({ db }, [await quotaUse(secret, quota, String(userId))], now)))
    throw rateLimitedError('Too many tries. Please wait a few minutes.', quota)
  if ('code' in input) {
    const isValid = and(
      eq(emailTokens.hash, await hashReauthenticationCode(secret, userId, input.code)),
      eq(emailTokens.purpose, 'confirm'),
      isNull(emailTokens.usedAt),
      gt(emailTokens.expiresAt, now),
      eq(emailTokens.emailKey, sql`(SELECT email_key FROM users WHERE id = ${userId})`),
    )
    const consumedTokens = await db
      .update(emailTokens)
      .set({ usedAt: now })
      .where(isValid)
      .returning({ hash: emailTokens.hash })
    if (consumedTokens.length === 0)
      throw new AppError('bad_credentials', 'That code is wrong or has expired. Please ask for a new one.')
    return
  }
  const [user] = await db.select({ passwordHash: users.passwordHash }).from(users).where(eq(users.id, userId))
  const { matches } = await verifyPassword(input.password, user?.passwordHash ?? null)
  if (!matches) throw new AppError('bad_credentials', 'That password is not right.')
}

/**
 * Emails a six-digit code and invalidates earlier ones. Within the daily quota of emails that the account requests for
 * its own address, because an unconfirmed address may be a stranger's.
 * @throws AppError `conflict` without an address or if the account has other credentials, `rate_limited`.
 */
export async function sendReauthenticationCode(
  { db, secret }: Pick<Deps, 'db' | 'secret'>,
  caller: Caller,
  now: Millis,
): Promise<void> {
  const { userId, username, email, emailVerified } = caller
  requireNoOtherCredential(caller)
  if (emailError(email)) throw new AppError('conflict', 'This account has no email address to send a code to.')
  if (!(await consumeQuotas({ db }, await ownEmailQuotas(secret, email, emailVerified), now)))
    throw rateLimitedError(
      'We have sent you enough emails for today. Please use the newest code, or try again tomorrow.',
      QUOTAS.ownEmailsPerAddress,
    )
  const code = String(crypto.getRandomValues(new Uint32Array(1))[0]! % 1_000_000).padStart(6, '0')
  const hash = await hashReauthenticationCode(secret, userId, code)
  const siteName = await readSiteName(db)
  await db.$client.batch([
    prepare(db, sql`DELETE FROM mail_tokens WHERE user_id = ${userId} AND purpose = 'confirm'`),
    saveEmailToken(db, eq(users.id, userId), { hash, purpose: 'confirm', at: now }),
    enqueueEmail(db, {
      to: email,
      email: reauthenticationCodeEmail({ siteName, username: emailVerified ? username : null, code }),
      dedupeKey: `confirm:${userId}:${now}`,
      at: now,
    }),
  ])
}

// Keyed: a plain hash of six digits can be brute-forced.
const hashReauthenticationCode = (secret: string, userId: number, code: string) =>
  sign(secret, 'confirm-code', `${userId}:${code}`)
