import { sql } from 'drizzle-orm'
import { readShow } from '../concerts/concerts'
import type { CheckInToken } from '../contract/concerts'
import { type Db, prepare } from '../db/client'
import { AppError } from '../lib/app-error'
import { MINUTE_MS, type Millis, toIso } from '../lib/clock'
import { newId, sha256, signValue, verifySignedValue } from '../lib/crypto'
import { limits } from '../limits'
import { attemptKey, countAttempt } from '../quotas/quotas'
import {
  ATTEMPT_WINDOW_MS,
  type CheckInDeps,
  checkInClosedError,
  checkInWindow,
  codeVersionSql,
  tooManyAttemptsError,
  verifyCheckInCode,
  wrongCodeError,
} from './check-in-code'

const TOKEN_PURPOSE = 'arrival'
const SCAN_TTL_MS: Millis = limits.checkInTokenTtlMinutes * MINUTE_MS

/** Prefix that the scan numbers of one code share. */
export const scanCodePrefix = (number: string) => number.split('_').slice(0, 3).join('_')

/** Statement that takes back one attempt. */
const uncountAttempt = (db: Db, key: string) =>
  prepare(db, sql`UPDATE attempts SET count = count - 1 WHERE key = ${key} AND count > 1`)

/** `browser` is the hash of the browser's check-in cookie, `version` that of the show's secret. */
type Scan = { number: string; at: Millis; version: number; browser: string }
const serializeScan = ({ number, at, version, browser }: Scan, id: string) =>
  [number, at, version, browser, id].join(':')

/**
 * Issues a signed token for a visitor who scanned the door's code, to be redeemed after sign-up in the same `browser`.
 * @throws AppError `not_found`, `closed`, `rate_limited`, `bad_input`.
 */
export async function issueCheckInToken(
  { db, secret }: CheckInDeps,
  { id, code, address, browser, at }: { id: string; code: string; address: string; browser: string; at: Millis },
): Promise<CheckInToken> {
  const row = await readShow(db, id)
  const { opensAt, closesAt } = checkInWindow(row)
  if (at < opensAt || at >= closesAt) throw checkInClosedError(row, at)
  const d1 = db.$client
  // Attempts of visitors count per IP address; users have their own count.
  const key = await attemptKey(secret, 'door-address', id, address)
  const [attempts, door] = await d1.batch<{ count: number; version: number }>([
    // No write beyond the limit.
    countAttempt(db, {
      key,
      windowMs: ATTEMPT_WINDOW_MS,
      now: at,
      unlessOver: { key, max: limits.maxCheckInAttemptsPerIp },
    }),
    d1.prepare(`SELECT ${codeVersionSql('?1')} AS version`).bind(id),
  ])
  const attemptCount = attempts?.results[0]?.count ?? Number.POSITIVE_INFINITY
  if (attemptCount > limits.maxCheckInAttemptsPerIp)
    throw tooManyAttemptsError(
      'Too many wrong codes from this network. Please log in or sign up, and take the code that the door shows then.',
    )
  const version = door?.results[0]?.version ?? 0
  const step = await verifyCheckInCode(secret, { concertId: id, version, code, at })
  if (step === null) throw wrongCodeError()
  await uncountAttempt(db, key).run()
  const scan = { number: newId(`arrival_${version}_${step}`), at, version, browser: await sha256(browser) }
  return {
    arrivalToken: await signValue(secret, TOKEN_PURPOSE, serializeScan(scan, id)),
    expiresAt: toIso(at + SCAN_TTL_MS),
  }
}

type TokenRedemption = {
  token: string
  id: string
  /** The current version; replacing the secret revokes earlier scans. */
  version: number
  /** The browser's check-in cookie, if any. */
  browser: string | undefined
  joinedAt: Millis
  at: Millis
}

/**
 * Scan number of a token. Valid for 30 minutes, or 30 minutes after a sign-up within that time. @throws AppError
 * `bad_token` for another show, browser or secret, a modified or an expired token.
 */
export async function verifyCheckInToken(secret: string, redemption: TokenRedemption): Promise<string> {
  const { token, id, version, browser, joinedAt, at } = redemption
  const value = (await verifySignedValue(secret, TOKEN_PURPOSE, token)) ?? ''
  const [number = '', scannedAt = '', ofVersion = '', ofBrowser = ''] = value.split(':')
  const scan = { number, at: Number(scannedAt), version, browser: browser === undefined ? '' : await sha256(browser) }
  if (number !== '' && ofVersion === String(version) && ofBrowser !== scan.browser)
    throw new AppError(
      'bad_token',
      'Only the browser that scanned can use that. Please scan the code at the door again.',
    )
  const from = joinedAt >= scan.at && joinedAt <= scan.at + SCAN_TTL_MS ? joinedAt : scan.at
  if (value !== serializeScan(scan, id) || at < scan.at || at > from + SCAN_TTL_MS)
    throw new AppError('bad_token', 'That scan cannot be used any more. Please scan the code at the door again.')
  return number
}
