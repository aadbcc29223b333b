import { eq } from 'drizzle-orm'
import { readShow } from '../concerts/concerts'
import type { CheckInToken } from '../contract/check-in'
import { AppError } from '../lib/app-error'
import { MINUTE_MS, type Millis, toIso } from '../lib/clock'
import { newId, sha256, signValue, verifySignedValue } from '../lib/crypto'
import { limits } from '../limits'
import { QUOTAS, quotaUse, rateLimitedError } from '../quotas/quotas'
import {
  type CheckInDeps,
  checkInClosedError,
  checkInWindow,
  codeGuessStatement,
  verifyCheckInCode,
  wrongCodeError,
} from './check-in-code'
import { checkInSecretVersions } from './check-ins.table'

const TOKEN_PURPOSE = 'arrival'
const TOKEN_TTL_MS: Millis = limits.checkInTokenTtlMinutes * MINUTE_MS

/** Prefix that the ids of one code's scans share. */
export const scanCodePrefix = (scanId: string) => scanId.split('_').slice(0, 3).join('_')

/** `version` is the version of the show's secret, `cookieHash` the hash of the browser's check-in cookie. */
type Scan = { scanId: string; at: Millis; version: number; cookieHash: string }
const serializeScan = ({ scanId, at, version, cookieHash }: Scan, showId: string) =>
  [scanId, at, version, cookieHash, showId].join(':')

/**
 * Issues a signed token for a visitor who scanned the code at the door. The visitor redeems it after login or sign-up
 * in the browser that has this check-in `cookie`.
 * @throws AppError `not_found`, `closed`, `rate_limited`, `bad_input`.
 */
export async function issueCheckInToken(
  { db, secret }: CheckInDeps,
  { id, code, network, cookie, at }: { id: string; code: string; network: string; cookie: string; at: Millis },
): Promise<CheckInToken> {
  const row = await readShow(db, id)
  const { opensAt, closesAt } = checkInWindow(row)
  if (at < opensAt || at >= closesAt) throw checkInClosedError(row, at)
  const [secretRow] = await db.select().from(checkInSecretVersions).where(eq(checkInSecretVersions.concertId, id))
  const version = secretRow?.version ?? 0
  const step = await verifyCheckInCode(secret, { concertId: id, version, code, at })
  // Only wrong codes count, so that a whole venue can scan at the same time.
  const guess = [await quotaUse(secret, QUOTAS.checkInGuessesByVisitors, id, network)]
  const { results } = await codeGuessStatement(db, guess, step !== null, at).all()
  if (results.length === 0)
    throw rateLimitedError(
      'Too many wrong codes from this network. Please log in or sign up, then enter the code shown at the door.',
      QUOTAS.checkInGuessesByVisitors,
    )
  if (step === null) throw wrongCodeError()
  const scan = { scanId: newId(`arrival_${version}_${step}`), at, version, cookieHash: await sha256(cookie) }
  return {
    arrivalToken: await signValue(secret, TOKEN_PURPOSE, serializeScan(scan, id)),
    expiresAt: toIso(at + TOKEN_TTL_MS),
  }
}

type TokenRedemption = {
  token: string
  /** The show. */
  id: string
  /** Current version of the show's secret; replacing the secret revokes earlier scans. */
  version: number
  /** The browser's check-in cookie, if any. */
  cookie: string | undefined
  signedUpAt: Millis
  at: Millis
}

/**
 * Returns the id of a token's scan. A token is valid for `TOKEN_TTL_MS` after the scan, or after a sign-up within that
 * time.
 * @throws AppError `bad_token` for another show, browser or secret, and for a modified or an expired token.
 */
export async function verifyCheckInToken(secret: string, redemption: TokenRedemption): Promise<string> {
  const { token, id, version, cookie, signedUpAt, at } = redemption
  const value = (await verifySignedValue(secret, TOKEN_PURPOSE, token)) ?? ''
  const [scanId = '', scannedAt = '', scanVersion = '', scanCookieHash = ''] = value.split(':')
  const cookieHash = cookie === undefined ? '' : await sha256(cookie)
  const scan = { scanId, at: Number(scannedAt), version, cookieHash }
  if (scanId !== '' && scanVersion === String(version) && scanCookieHash !== cookieHash)
    throw new AppError(
      'bad_token',
      'This only works in the browser that scanned the code. Please scan the code at the door again.',
    )
  const isTimelySignup = signedUpAt >= scan.at && signedUpAt <= scan.at + TOKEN_TTL_MS
  const validFrom = isTimelySignup ? signedUpAt : scan.at
  if (value !== serializeScan(scan, id) || at < scan.at || at > validFrom + TOKEN_TTL_MS)
    throw new AppError('bad_token', 'That scan is no longer valid. Please scan the code at the door again.')
  return scanId
}
