import { recorded, recordedIfChanged } from '../audit/audit'
import { MINUTE, type Millis, SECOND } from '../lib/clock'
import { Refused } from '../lib/refused'
import { box, unbox } from '../lib/sealed-box'
import { sha256 } from '../lib/secret'
import { base32, stepOf } from '../lib/totp'
import { limits } from '../limits'
import { allowed, attemptKey } from './attempts'

type House = { db: D1Database; secret: string }
const PURPOSE = 'authenticator'
const RECOVERY_CODES = 10
const wrong = () => new Refused('bad_credentials', 'That code is not right.')

/** Whether the account asks for a second factor, and how many recovery codes are left. */
export async function secondFactorOf(
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

/** A new secret for the authenticator app; it counts for nothing before `confirmSecondFactor`. @throws Refused `conflict` while one is in use. */
export async function beginSecondFactor(
  { db, secret }: House,
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
    .bind(userId, await box(secret, PURPOSE, bytes))
    .first()
  if (!stored) throw new Refused('conflict', 'A second factor is in use already. Turn it off first.')
  const label = encodeURIComponent(`${siteName}:${username}`)
  return {
    secret: base32(bytes),
    uri: `otpauth://totp/${label}?secret=${base32(bytes)}&issuer=${encodeURIComponent(siteName)}`,
  }
}

/** Turns the second factor on with a first code. Returns the recovery codes, which are shown once. @throws Refused. */
export async function confirmSecondFactor(house: House, userId: number, code: string, now: Millis): Promise<string[]> {
  await countTry(house, userId, now)
  if (!(await spendCode(house, userId, code, now, 'confirmed_at IS NULL'))) throw wrong()
  const codes = Array.from({ length: RECOVERY_CODES }, recoveryCode)
  const hashes = await Promise.all(codes.map(sha256))
  const { db } = house
  await db.batch([
    db.prepare('UPDATE authenticators SET confirmed_at = ?2 WHERE user_id = ?1').bind(userId, now),
    db.prepare('DELETE FROM recovery_codes WHERE user_id = ?1').bind(userId),
    ...hashes.map((hash) =>
      db.prepare('INSERT INTO recovery_codes (user_id, hash) VALUES (?1, ?2)').bind(userId, hash),
    ),
    recorded(db, { actorId: userId, action: 'second_factor.on', at: now }),
  ])
  return codes
}

/** Turns the second factor off, with a code of it. @throws Refused. */
export async function endSecondFactor(house: House, userId: number, code: string, now: Millis): Promise<void> {
  await passSecondFactor(house, userId, code, now)
  const { db } = house
  await db.batch([
    db.prepare('DELETE FROM recovery_codes WHERE user_id = ?1').bind(userId),
    db.prepare('DELETE FROM authenticators WHERE user_id = ?1').bind(userId),
    recordedIfChanged(db, { actorId: userId, action: 'second_factor.off', at: now }),
  ])
}

/**
 * Lets somebody past who gives a code of the app or a recovery code, each good once; everybody without a second factor.
 * @throws Refused `second_factor_required` without a code, `bad_credentials`, `rate_limited`.
 */
export async function passSecondFactor(
  house: House,
  userId: number,
  code: string | undefined,
  now: Millis,
): Promise<void> {
  const { enabled } = await secondFactorOf(house.db, userId)
  if (!enabled) return
  if (!code) throw new Refused('second_factor_required', 'Please enter the code of your authenticator app.')
  await countTry(house, userId, now)
  const used = /^\d{6}$/.test(code)
    ? await spendCode(house, userId, code, now, 'confirmed_at IS NOT NULL')
    : await spendRecoveryCode(house.db, userId, code, now)
  if (!used) throw wrong()
}

async function countTry({ db, secret }: House, userId: number, now: Millis): Promise<void> {
  const key = await attemptKey(secret, 'second-factor', String(userId))
  const per = limits.loginWindowMinutes * MINUTE
  if (!(await allowed(db, key, { max: limits.loginTriesHere, per }, now)))
    throw new Refused('rate_limited', 'Too many tries. Please wait a few minutes.', { retryAfterSeconds: per / SECOND })
}

/** A code counts once: its step must be later than the last one. */
async function spendCode(
  { db, secret }: House,
  userId: number,
  code: string,
  now: Millis,
  state: string,
): Promise<boolean> {
  const row = await db
    .prepare(`SELECT sealed_secret AS sealed FROM authenticators WHERE user_id = ?1 AND ${state}`)
    .bind(userId)
    .first<{ sealed: string }>()
  const step = row ? await stepOf(await unbox(secret, PURPOSE, row.sealed), code, now) : null
  if (step === null) return false
  const spent = await db
    .prepare('UPDATE authenticators SET last_step = ?2 WHERE user_id = ?1 AND last_step < ?2 RETURNING user_id')
    .bind(userId, step)
    .first()
  return spent !== null
}

async function spendRecoveryCode(db: D1Database, userId: number, code: string, now: Millis): Promise<boolean> {
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
function recoveryCode(): string {
  const text = base32(crypto.getRandomValues(new Uint8Array(10)))
  return `${text.slice(0, 8)}-${text.slice(8)}`
}
