import { type EmailCap, enqueueEmail } from '../email/outbox'
import { AppError } from '../lib/app-error'
import { DAY_MS, HOUR_MS, MINUTE_MS, type Millis } from '../lib/clock'
import { randomSecret, sha256 } from '../lib/crypto'
import { normalizeKey } from '../lib/email'
import { limits } from '../limits'
import { awardReferrer } from '../users/referrals'
import { attemptKey, consumeAttempt } from './attempts'
import { passwordResetEmail, verificationEmail } from './emails'

export type Deps = { db: D1Database; secret: string; origin: string }
type TokenOwnerRow = {
  userId: number
  username: string
  email: string
  siteName: string
  used: number
  verified: number
}

export const invalidLinkError = () =>
  new AppError('bad_token', 'This link does not work any more. Please ask for a new one.')

/** The user of a token; null once it expired or the account has another address. */
export async function findTokenOwner(
  db: D1Database,
  hash: string,
  purpose: MailTokenPurpose,
  now: Millis,
): Promise<TokenOwnerRow | null> {
  return db
    .prepare(
      `SELECT users.id AS userId, username, email, coalesce((SELECT name FROM site), 'This site') AS siteName,
         used_at IS NOT NULL AS used, email_verified_at IS NOT NULL AS verified
       FROM mail_tokens JOIN users ON users.id = mail_tokens.user_id AND users.email_key = mail_tokens.email_key
       WHERE hash = ?1 AND purpose = ?2 AND expires_at > ?3 AND banned_at IS NULL AND erased_at IS NULL`,
    )
    .bind(hash, purpose, now)
    .first<TokenOwnerRow>()
}

/** Verifies an address and pays the referrer. Succeeds again for a verified address. @throws AppError `bad_token`. */
export async function verifyEmail({ db }: Deps, token: string, now: Millis): Promise<void> {
  const hash = await sha256(token)
  const owner = await findTokenOwner(db, hash, 'verify', now)
  if (!owner || (owner.used && !owner.verified)) throw invalidLinkError()
  await db.batch([
    db
      .prepare(
        'UPDATE users SET email_verified_at = ?2 WHERE id = ?1 AND email_verified_at IS NULL AND erased_at IS NULL',
      )
      .bind(owner.userId, now),
    awardReferrer(db, { id: owner.userId }, now),
    db.prepare('UPDATE mail_tokens SET used_at = ?2 WHERE hash = ?1 AND used_at IS NULL').bind(hash, now),
  ])
}

/** Emails a new verification link, a few times a day; does nothing for a verified address. */
export async function sendVerificationEmail(deps: Deps, userId: number, now: Millis): Promise<void> {
  await sendLinkEmail(deps, 'verify', 'users.id = ?1 AND users.email_verified_at IS NULL', userId, now)
}

/**
 * Emails a reset link if the address has an account. Call it after the response, so that timing reveals nothing. A
 * known device has an email limit of its own.
 */
export async function sendPasswordResetEmail(
  deps: Deps,
  { email, knownDevice }: { email: string; knownDevice: (userId: number) => Promise<string | null> },
  now: Millis,
): Promise<void> {
  await sendLinkEmail(deps, 'reset', 'users.email_key = ?1', normalizeKey(email), now, knownDevice)
}

async function sendLinkEmail(
  { db, secret, origin }: Deps,
  purpose: 'verify' | 'reset',
  where: string,
  value: number | string,
  now: Millis,
  knownDevice: (userId: number) => Promise<string | null> = async () => null,
) {
  const user = await db
    .prepare(
      `SELECT id, username, email, coalesce((SELECT name FROM site), 'This site') AS siteName FROM users
       WHERE ${where} AND email IS NOT NULL AND banned_at IS NULL AND erased_at IS NULL`,
    )
    .bind(value)
    .first<{ id: number; username: string; email: string; siteName: string }>()
  if (!user) return
  const key = await attemptKey(secret, `mail-${purpose}`, String(user.id), (await knownDevice(user.id)) ?? '')
  if (!(await consumeAttempt(db, key, { max: limits.linkEmailsPerAccountPerDay, windowMs: DAY_MS }, now))) return
  const { token, hash } = await createMailToken()
  const email = (purpose === 'verify' ? verificationEmail : passwordResetEmail)({ ...user, origin, token })
  await db.batch([
    saveMailToken(db, { id: user.id }, { hash, purpose, at: now }),
    enqueueEmail(db, {
      to: user.email,
      email,
      dedupeKey: `${purpose}:${hash}`,
      at: now,
      ...(purpose === 'verify' && { cap: VERIFICATION_CAP }),
    }),
  ])
}

export type MailTokenPurpose = 'verify' | 'reset' | 'confirm'

export const MAIL_TOKEN_TTL_MS: Record<MailTokenPurpose, Millis> = {
  verify: 3 * DAY_MS,
  reset: HOUR_MS,
  confirm: 10 * MINUTE_MS,
}

/** Verification emails have their own limit, so that other forms cannot use it up. */
export const VERIFICATION_CAP: EmailCap = {
  kinds: ['verify'],
  perMailbox: limits.verificationEmailsPerMailboxPerDay,
  total: null,
  windowMs: DAY_MS,
}

/** A random token for an email, and the hash to store. */
export async function createMailToken(): Promise<{ token: string; hash: string }> {
  const token = randomSecret()
  return { token, hash: await sha256(token) }
}

type HashedMailToken = { hash: string; purpose: MailTokenPurpose; at: Millis }

/** Statement that stores a token hash for a user id, or for the username key during signup. */
export function saveMailToken(
  db: D1Database,
  user: { id: number } | { usernameKey: string },
  { hash, purpose, at }: HashedMailToken,
): D1PreparedStatement {
  const [column, value] = 'id' in user ? ['id', user.id] : ['username_key', user.usernameKey]
  return db
    .prepare(
      `INSERT INTO mail_tokens (hash, user_id, purpose, email_key, expires_at)
       SELECT ?1, id, ?2, email_key, ?3 FROM users WHERE ${column} = ?4 AND email_key IS NOT NULL`,
    )
    .bind(hash, purpose, at + MAIL_TOKEN_TTL_MS[purpose], value)
}
