import { enqueueEmail } from '../email/outbox'
import { AppError } from '../lib/app-error'
import { DAY_MS, MINUTE_MS, type Millis, SECOND_MS } from '../lib/clock'
import { sign } from '../lib/crypto'
import { limits } from '../limits'
import { attemptKey, consumeAttempt } from './attempts'
import type { Caller } from './current-user'
import { saveMailToken } from './email-links'
import { confirmationCodeEmail } from './emails'
import { verifyPassword } from './password'
import type { SessionPayload } from './sessions'

export const REAUTHENTICATION_TTL_MS: Millis = 15 * MINUTE_MS

type Deps = { db: D1Database; secret: string }
export type ReauthenticationInput = { password: string } | { code: string }

/**
 * Admin sessions re-authenticate by login only.
 * @throws AppError `confirm_required` if the session was not authenticated in the last 15 minutes.
 */
export function requireRecentAuthentication({ provenAt, kind }: SessionPayload, now: Millis): void {
  if (now - provenAt <= REAUTHENTICATION_TTL_MS) return
  throw new AppError(
    'confirm_required',
    kind === 'administrator'
      ? 'This needs a log-in of the last 15 minutes. Please log out and in again.'
      : 'Please confirm that it is you, then try again.',
  )
}

/**
 * Checks a logged-in caller's password or emailed code. Attempts are counted before hashing.
 * @throws AppError `bad_credentials`, `rate_limited`.
 */
export async function reauthenticate(
  { db, secret }: Deps,
  { userId }: Caller,
  input: ReauthenticationInput,
  now: Millis,
): Promise<void> {
  const key = await attemptKey(secret, 'prove', String(userId))
  const windowMs = limits.loginAttemptWindowMinutes * MINUTE_MS
  if (!(await consumeAttempt(db, key, { max: limits.maxLoginAttemptsPerNetwork, windowMs }, now)))
    throw new AppError('rate_limited', 'Too many tries. Please wait a few minutes.', {
      retryAfterSeconds: windowMs / SECOND_MS,
    })
  if ('code' in input) {
    const used = await db
      .prepare(
        `UPDATE mail_tokens SET used_at = ?2 WHERE hash = ?1 AND purpose = 'confirm' AND used_at IS NULL AND expires_at > ?2
           AND email_key = (SELECT email_key FROM users WHERE id = mail_tokens.user_id) RETURNING hash`,
      )
      .bind(await hashConfirmationCode(secret, userId, input.code), now)
      .first()
    if (!used) throw new AppError('bad_credentials', 'That code is not right, or it is over. Please ask for a new one.')
    return
  }
  const row = await db
    .prepare('SELECT password_hash AS hash FROM users WHERE id = ?1')
    .bind(userId)
    .first<{ hash: string | null }>()
  const { matches } = await verifyPassword(input.password, row?.hash ?? null)
  if (!matches) throw new AppError('bad_credentials', 'That password is not right.')
}

/**
 * Emails a six-digit code and invalidates earlier ones; limited per day, as the address may be someone else's.
 * @throws AppError `conflict` without an address, `rate_limited`.
 */
export async function sendConfirmationCode(
  { db, secret }: Deps,
  { userId, username, email }: Caller,
  now: Millis,
): Promise<void> {
  if (email === '') throw new AppError('conflict', 'This account has no address that a code could go to.')
  const key = await attemptKey(secret, 'mail-confirm', String(userId))
  if (!(await consumeAttempt(db, key, { max: limits.linkEmailsPerAccountPerDay, windowMs: DAY_MS }, now)))
    throw new AppError('rate_limited', 'We have mailed you enough codes for today. Please use the newest one.', {
      retryAfterSeconds: DAY_MS / SECOND_MS,
    })
  const code = String(crypto.getRandomValues(new Uint32Array(1))[0]! % 1_000_000).padStart(6, '0')
  const hash = await hashConfirmationCode(secret, userId, code)
  const site = await db
    .prepare("SELECT coalesce((SELECT name FROM site), 'This site') AS name")
    .first<{ name: string }>()
  await db.batch([
    db.prepare("DELETE FROM mail_tokens WHERE user_id = ?1 AND purpose = 'confirm'").bind(userId),
    saveMailToken(db, { id: userId }, { hash, purpose: 'confirm', at: now }),
    enqueueEmail(db, {
      to: email,
      email: confirmationCodeEmail({ siteName: site?.name ?? '', username, code }),
      dedupeKey: `confirm:${userId}:${now}`,
      at: now,
    }),
  ])
}

// Keyed: a plain hash of six digits can be brute-forced.
const hashConfirmationCode = (secret: string, userId: number, code: string) =>
  sign(secret, 'confirm-code', `${userId}:${code}`)
