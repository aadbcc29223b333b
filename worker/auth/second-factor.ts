import { recordAudit, recordAuditIfChanged } from '../audit/audit'
import { AppError } from '../lib/app-error'
import { MINUTE_MS, type Millis, SECOND_MS } from '../lib/clock'
import { decrypt, encrypt, sha256 } from '../lib/crypto'
import { base32, findTotpStep } from '../lib/totp'
import { limits } from '../limits'
import { attemptKey, consumeAttempt } from './attempts'

type Deps = { db: D1Database; secret: string }
const PURPOSE = 'authenticator'
const RECOVERY_CODES = 10
const wrongCodeError = () => new AppError('bad_credentials', 'That code is not right.')

/** Whether a second factor is enabled, and how many recovery codes are left. */
export async function secondFactorStatus(
  db: D1Database,
  userId: number,
): Promise<{ enabled: boolean; recoveryCodesLeft: number }> {
  const row = await db
    .prepare(
      `SELECT EXISTS (SELECT 1 FROM authenticators WHERE user_id = ?1 AND confirmed_at IS NOT NULL) AS enabled,
         (SELECT count(*) FROM recovery_codes WHERE user_id = ?1 AND used_at IS NULL) AS recoveryCodesLeft`,
    )
    .bind(userId)
    .first<{ enabled: number; recoveryCodesLeft: number }>()
  return { enabled: row?.enabled === 1, recoveryCodesLeft: row?.recoveryCodesLeft ?? 0 }
}

/**
 * Creates a new secret, inactive until `confirmSecondFactor`.
 * @throws AppError `conflict` if a second factor is enabled.
 */
export async function enrollSecondFactor(
  { db, secret }: Deps,
  { userId, username }: { userId: number; username: string },
  siteName: string,
): Promise<{ secret: string; uri: string }> {
  const bytes = crypto.getRandomValues(new Uint8Array(20))
  const stored = await db
    .prepare(
      `INSERT INTO authenticators (user_id, sealed_secret) VALUES (?1, ?2)
       ON CONFLICT (user_id) DO UPDATE SET sealed_secret = excluded.sealed_secret, last_step = 0 WHERE confirmed_at IS NULL
       RETURNING user_id`,
    )
    .bind(userId, await encrypt(secret, PURPOSE, bytes))
    .first()
  if (!stored) throw new AppError('conflict', 'A second factor is in use already. Turn it off first.')
  const label = encodeURIComponent(`${siteName}:${username}`)
  return {
    secret: base32(bytes),
    uri: `otpauth://totp/${label}?secret=${base32(bytes)}&issuer=${encodeURIComponent(siteName)}`,
  }
}

/** Enables the second factor. @returns the recovery codes, shown once. @throws AppError. */
export async function confirmSecondFactor(deps: Deps, userId: number, code: string, now: Millis): Promise<string[]> {
  await countCodeAttempt(deps, userId, now)
  if (!(await consumeCode(deps, userId, code, now, 'confirmed_at IS NULL'))) throw wrongCodeError()
  const codes = Array.from({ length: RECOVERY_CODES }, generateRecoveryCode)
  const hashes = await Promise.all(codes.map(sha256))
  const { db } = deps
  await db.batch([
    db.prepare('UPDATE authenticators SET confirmed_at = ?2 WHERE user_id = ?1').bind(userId, now),
    db.prepare('DELETE FROM recovery_codes WHERE user_id = ?1').bind(userId),
    ...hashes.map((hash) =>
      db.prepare('INSERT INTO recovery_codes (user_id, hash) VALUES (?1, ?2)').bind(userId, hash),
    ),
    recordAudit(db, { actorId: userId, action: 'second_factor.on', at: now }),
  ])
  return codes
}

/** Disables the second factor. @throws AppError. */
export async function disableSecondFactor(deps: Deps, userId: number, code: string, now: Millis): Promise<void> {
  await requireSecondFactor(deps, userId, code, now)
  const { db } = deps
  await db.batch([
    db.prepare('DELETE FROM recovery_codes WHERE user_id = ?1').bind(userId),
    db.prepare('DELETE FROM authenticators WHERE user_id = ?1').bind(userId),
    recordAuditIfChanged(db, { actorId: userId, action: 'second_factor.off', at: now }),
  ])
}

/**
 * Accepts a TOTP or recovery code, each once; passes users without a second factor.
 * @throws AppError `second_factor_required` without a code, `bad_credentials`, `rate_limited`.
 */
export async function requireSecondFactor(
  deps: Deps,
  userId: number,
  code: string | undefined,
  now: Millis,
): Promise<void> {
  const { enabled } = await secondFactorStatus(deps.db, userId)
  if (!enabled) return
  if (!code) throw new AppError('second_factor_required', 'Please enter the code of your authenticator app.')
  await countCodeAttempt(deps, userId, now)
  const used = /^\d{6}$/.test(code)
    ? await consumeCode(deps, userId, code, now, 'confirmed_at IS NOT NULL')
    : await consumeRecoveryCode(deps.db, userId, code, now)
  if (!used) throw wrongCodeError()
}

async function countCodeAttempt({ db, secret }: Deps, userId: number, now: Millis): Promise<void> {
  const key = await attemptKey(secret, 'second-factor', String(userId))
  const per = limits.loginAttemptWindowMinutes * MINUTE_MS
  if (!(await consumeAttempt(db, key, { max: limits.maxLoginAttemptsPerNetwork, windowMs: per }, now)))
    throw new AppError('rate_limited', 'Too many tries. Please wait a few minutes.', {
      retryAfterSeconds: per / SECOND_MS,
    })
}

/** Accepts a code once: its step must be later than the last accepted one. */
async function consumeCode(
  { db, secret }: Deps,
  userId: number,
  code: string,
  now: Millis,
  state: string,
): Promise<boolean> {
  const row = await db
    .prepare(`SELECT sealed_secret AS sealed FROM authenticators WHERE user_id = ?1 AND ${state}`)
    .bind(userId)
    .first<{ sealed: string }>()
  const step = row ? await findTotpStep(await decrypt(secret, PURPOSE, row.sealed), code, now) : null
  if (step === null) return false
  const spent = await db
    .prepare('UPDATE authenticators SET last_step = ?2 WHERE user_id = ?1 AND last_step < ?2 RETURNING user_id')
    .bind(userId, step)
    .first()
  return spent !== null
}

async function consumeRecoveryCode(db: D1Database, userId: number, code: string, now: Millis): Promise<boolean> {
  const hash = await sha256(code.trim().toUpperCase())
  const spent = await db
    .prepare(
      'UPDATE recovery_codes SET used_at = ?3 WHERE user_id = ?1 AND hash = ?2 AND used_at IS NULL RETURNING hash',
    )
    .bind(userId, hash, now)
    .first()
  return spent !== null
}

/** 80 random bits as `ABCDEFGH-IJKLMNOP`. */
function generateRecoveryCode(): string {
  const text = base32(crypto.getRandomValues(new Uint8Array(10)))
  return `${text.slice(0, 8)}-${text.slice(8)}`
}
