import { attemptKey, countAttempt } from '../auth/attempts'
import { readShow, type Show } from '../concerts/concerts'
import type { CheckInToken } from '../contract/concerts'
import { AppError } from '../lib/app-error'
import { MINUTE_MS, type Millis, SECOND_MS } from '../lib/clock'
import { newId, sha256, signValue, verifySignedValue } from '../lib/crypto'
import { limits } from '../limits'
import { type CheckInDeps, checkInWindow, DOOR_VERSION_SQL, verifyCheckInCode } from './check-in-code'

const TOKEN_PURPOSE = 'arrival'
const SCAN_TTL_MS: Millis = limits.checkInTokenTtlMinutes * MINUTE_MS
/** At the latest: signed up at the last moment, and redeemed as late. */
export const MAX_TOKEN_AGE_MS: Millis = 2 * SCAN_TTL_MS

export const checkInClosedError = (row: Show, at: Millis) =>
  new AppError(
    'closed',
    at < checkInWindow(row).opensAt ? 'Check-in has not opened yet.' : 'Check-in for this show is over.',
  )
export const wrongCodeError = () =>
  new AppError('bad_input', 'That code is not right any more. Please take the one that the door shows now.')
export const TRIES_WINDOW_MS: Millis = limits.checkInAttemptWindowMinutes * MINUTE_MS
export const tooManyTriesError = (message: string) =>
  new AppError('rate_limited', message, { retryAfterSeconds: TRIES_WINDOW_MS / SECOND_MS })

/** So many scans of one code have let somebody in: who has an account needs none, so it is no use to wait. */
export const codeExhaustedError = () =>
  new AppError('bad_token', 'So many have come in with that code. Please take the one that the door shows now.')

/** What the numbers of all the scans of one code begin with. */
export const scanCodePrefix = (number: string) => number.split('_').slice(0, 3).join('_')

/** The statement that takes one try back. */
const decrementTries = (d1: D1Database, key: string) =>
  d1.prepare('UPDATE attempts SET count = count - 1 WHERE key = ?1 AND count > 1').bind(key)

/** What a token says of a scan: its number, when, at which version of the door, and a hash of whose browser. */
type Scan = { number: string; at: Millis; version: number; browser: string }
const serializeScan = ({ number, at, version, browser }: Scan, id: string) =>
  [number, at, version, browser, id].join(':')

/**
 * A visitor's scan: a signed token that says who was let in where and when, for after signing up. It is worth nothing
 * without the secret of the `browser` that scanned, and of one code's only so many let somebody in (`checkIn`): tokens
 * cost nothing, so nobody uses up another's by asking for many.
 * @throws AppError `not_found`, `closed`, `rate_limited`, `bad_input`.
 */
export async function issueScanToken(
  { db, secret }: CheckInDeps,
  { id, code, address, browser, at }: { id: string; code: string; address: string; browser: string; at: Millis },
): Promise<CheckInToken> {
  const row = await readShow(db, id)
  const { opensAt, closesAt } = checkInWindow(row)
  if (at < opensAt || at >= closesAt) throw checkInClosedError(row, at)
  const d1 = db.$client
  // Of visitors, whom nothing else tells apart; whoever has an account has tries of their own.
  const key = await attemptKey(secret, 'door-address', id, address)
  const [tries, door] = await d1.batch<{ count: number; version: number }>([
    // Beyond the last try nothing is written any more.
    countAttempt(d1, { key, per: TRIES_WINDOW_MS, now: at, unlessOver: { key, max: limits.maxCheckInAttemptsPerIp } }),
    d1.prepare(`SELECT ${DOOR_VERSION_SQL('?1')} AS version`).bind(id),
  ])
  const tryCount = tries?.results[0]?.count ?? Number.POSITIVE_INFINITY
  if (tryCount > limits.maxCheckInAttemptsPerIp)
    throw tooManyTriesError(
      'Too many wrong codes from this network. Please log in or sign up, and take the code that the door shows then.',
    )
  const version = door?.results[0]?.version ?? 0
  const step = await verifyCheckInCode(secret, { concertId: id, version, code, at })
  if (step === null) throw wrongCodeError()
  await decrementTries(d1, key).run()
  const scan = { number: newId(`arrival_${version}_${step}`), at, version, browser: await sha256(browser) }
  return {
    arrivalToken: await signValue(secret, TOKEN_PURPOSE, serializeScan(scan, id)),
    expiresAt: new Date(at + SCAN_TTL_MS).toISOString(),
  }
}

type TokenRedemption = {
  token: string
  id: string
  /** The door's now: whoever renews its secret takes back what was scanned with the old one. */
  version: number
  /** The secret in the browser that redeems, if it has one. */
  browser: string | undefined
  joinedAt: Millis
  at: Millis
}

/**
 * The number of the scan behind a token. It is good for 30 minutes; who signed up in that time has 30 minutes from then.
 * @throws AppError `bad_token` for one of another show, hand, browser or secret of the door, or too old.
 */
export async function verifyScanToken(secret: string, redemption: TokenRedemption): Promise<string> {
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
