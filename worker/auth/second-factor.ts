import { and, eq, isNotNull, isNull, lt, type SQL, sql } from 'drizzle-orm'
import { recordAuditIfChanged } from '../audit/audit'
import { type Db, prepare } from '../db/client'
import type { Deps } from '../deps'
import { AppError } from '../lib/app-error'
import type { Millis } from '../lib/clock'
import { decrypt, encrypt, sha256 } from '../lib/crypto'
import { base32, findTotpStep } from '../lib/totp'
import { consumeQuotas, QUOTAS, quotaUse, rateLimitedError } from '../quotas/quotas'
import { authenticators, recoveryCodes } from './auth.table'
import type { Caller } from './current-user'
import { revokeAllSessions } from './sessions'

type SecondFactorDeps = Pick<Deps, 'db' | 'secret'>
const PURPOSE = 'authenticator'
const RECOVERY_CODE_COUNT = 10
export const secondFactorRequiredError = () =>
  new AppError('second_factor_required', 'Please enter the code of your authenticator app.')
const wrongCodeError = () => new AppError('bad_credentials', 'That code is not right.')

/** Whether a second factor is enabled, and how many recovery codes are left. */
export async function readSecondFactorStatus(
  db: Db,
  userId: number,
): Promise<{ enabled: boolean; recoveryCodesLeft: number }> {
  const [confirmed, unusedCodes] = await db.batch([
    db.select({ userId: authenticators.userId }).from(authenticators).where(isConfirmed(userId)),
    db
      .select({ hash: recoveryCodes.hash })
      .from(recoveryCodes)
      .where(and(eq(recoveryCodes.userId, userId), isNull(recoveryCodes.usedAt))),
  ])
  return { enabled: confirmed.length > 0, recoveryCodesLeft: unusedCodes.length }
}

const isConfirmed = (userId: number) => and(eq(authenticators.userId, userId), isNotNull(authenticators.confirmedAt))
const isUnconfirmed = (userId: number) => and(eq(authenticators.userId, userId), isNull(authenticators.confirmedAt))

/**
 * Creates a new secret, inactive until `confirmSecondFactor`.
 * @throws AppError `conflict` if a second factor is enabled.
 */
export async function enrollSecondFactor(
  { db, secret }: SecondFactorDeps,
  { userId, username }: { userId: number; username: string },
  siteName: string,
): Promise<{ secret: string; uri: string }> {
  const bytes = crypto.getRandomValues(new Uint8Array(20))
  const encryptedSecret = await encrypt(secret, PURPOSE, bytes)
  const stored = await db
    .insert(authenticators)
    .values({ userId, encryptedSecret })
    .onConflictDoUpdate({
      target: authenticators.userId,
      set: { encryptedSecret, lastStep: 0 },
      setWhere: isNull(authenticators.confirmedAt),
    })
    .returning({ userId: authenticators.userId })
  if (stored.length === 0) throw new AppError('conflict', 'A second factor is already in use. Turn it off first.')
  const label = encodeURIComponent(`${siteName}:${username}`)
  return {
    secret: base32(bytes),
    uri: `otpauth://totp/${label}?secret=${base32(bytes)}&issuer=${encodeURIComponent(siteName)}`,
  }
}

/**
 * Enables the second factor and ends every session, because they were opened without it.
 * @returns the recovery codes, shown once, and the new epoch.
 * @throws AppError `bad_credentials`, `rate_limited`, `signed_out`.
 */
export async function confirmSecondFactor(
  deps: SecondFactorDeps,
  caller: Caller,
  code: string,
  now: Millis,
): Promise<{ recoveryCodes: string[]; epoch: number }> {
  const { userId } = caller
  await countCodeAttempt(deps, userId, now)
  if (!(await consumeTotpCode(deps, userId, code, now, isUnconfirmed(userId)))) throw wrongCodeError()
  const codes = Array.from({ length: RECOVERY_CODE_COUNT }, generateRecoveryCode)
  const hashes = await Promise.all(codes.map(sha256))
  const { db } = deps
  const epoch = await revokeAllSessions(db, caller, now, {
    // Each runs only if the one before changed rows, so that a concurrent confirmation that fails replaces no codes.
    after: [
      prepare(db, sql`UPDATE authenticators SET confirmed_at = ${now} WHERE user_id = ${userId} AND changes() > 0`),
      recordAuditIfChanged(db, { actorId: userId, action: 'second_factor.on', at: now }),
      prepare(
        db,
        sql`INSERT INTO recovery_codes (user_id, hash)
        SELECT ${userId}, value FROM json_each(${JSON.stringify(hashes)}) WHERE changes() > 0`,
      ),
      prepare(
        db,
        sql`DELETE FROM recovery_codes WHERE user_id = ${userId} AND changes() > 0
        AND hash NOT IN (SELECT value FROM json_each(${JSON.stringify(hashes)}))`,
      ),
    ],
  })
  return { recoveryCodes: codes, epoch }
}

/** Disables the second factor. @throws AppError as `requireSecondFactor`. */
export async function disableSecondFactor(
  deps: SecondFactorDeps,
  userId: number,
  code: string,
  now: Millis,
): Promise<void> {
  await requireSecondFactor(deps, userId, code, now)
  const { db } = deps
  await db.$client.batch([
    prepare(db, sql`DELETE FROM recovery_codes WHERE user_id = ${userId}`),
    prepare(db, sql`DELETE FROM authenticators WHERE user_id = ${userId}`),
    recordAuditIfChanged(db, { actorId: userId, action: 'second_factor.off', at: now }),
  ])
}

/**
 * Accepts a TOTP or recovery code, each once. Does nothing for users without a second factor.
 * @throws AppError `second_factor_required` without a code, `bad_credentials`, `rate_limited`.
 */
export async function requireSecondFactor(
  deps: SecondFactorDeps,
  userId: number,
  code: string | undefined,
  now: Millis,
): Promise<void> {
  const { enabled } = await readSecondFactorStatus(deps.db, userId)
  if (!enabled) return
  if (!code) throw secondFactorRequiredError()
  await countCodeAttempt(deps, userId, now)
  const isAccepted = /^\d{6}$/.test(code)
    ? await consumeTotpCode(deps, userId, code, now, isConfirmed(userId))
    : await consumeRecoveryCode(deps.db, userId, code, now)
  if (!isAccepted) throw wrongCodeError()
}

async function countCodeAttempt({ db, secret }: SecondFactorDeps, userId: number, now: Millis): Promise<void> {
  const quota = QUOTAS.secondFactorCodesPerAccount
  if (!(await consumeQuotas({ db }, [await quotaUse(secret, quota, String(userId))], now)))
    throw rateLimitedError('Too many tries. Please wait a few minutes.', quota)
}

/** Accepts a code of the authenticator that matches `condition`, once: its step must be after the last accepted one. */
async function consumeTotpCode(
  { db, secret }: SecondFactorDeps,
  userId: number,
  code: string,
  now: Millis,
  condition: SQL | undefined,
): Promise<boolean> {
  const [row] = await db
    .select({ encryptedSecret: authenticators.encryptedSecret })
    .from(authenticators)
    .where(condition)
  if (!row) return false
  const totpSecret = await decrypt(secret, PURPOSE, row.encryptedSecret).catch((cause) => {
    // Decryption fails once SIGNING_SECRET was replaced. Recovery codes do not depend on it.
    throw new AppError('bad_credentials', 'Your authenticator app no longer works here. Please use a recovery code.', {
      cause,
    })
  })
  const step = await findTotpStep(totpSecret, code, now)
  if (step === null) return false
  const updatedRows = await db
    .update(authenticators)
    .set({ lastStep: step })
    .where(and(eq(authenticators.userId, userId), lt(authenticators.lastStep, step)))
    .returning({ userId: authenticators.userId })
  return updatedRows.length > 0
}

async function consumeRecoveryCode(db: Db, userId: number, code: string, now: Millis): Promise<boolean> {
  const hash = await sha256(code.trim().toUpperCase())
  const consumedCodes = await db
    .update(recoveryCodes)
    .set({ usedAt: now })
    .where(and(eq(recoveryCodes.userId, userId), eq(recoveryCodes.hash, hash), isNull(recoveryCodes.usedAt)))
    .returning({ hash: recoveryCodes.hash })
  return consumedCodes.length > 0
}

/** 80 random bits as `ABCDEFGH-IJKLMNOP`. */
function generateRecoveryCode(): string {
  const text = base32(crypto.getRandomValues(new Uint8Array(10)))
  return `${text.slice(0, 8)}-${text.slice(8)}`
}
