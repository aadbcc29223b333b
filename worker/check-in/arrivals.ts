import { attemptKey, countTry } from '../auth/attempts'
import { type Show, show } from '../concerts/concerts'
import type { Arrival } from '../contract/check-in'
import { MINUTE, type Millis, SECOND } from '../lib/clock'
import { newId } from '../lib/ids'
import { Refused } from '../lib/refused'
import { sha256 } from '../lib/secret'
import { seal, unseal } from '../lib/signature'
import { limits } from '../limits'
import { doorWindow, type House, stepOfCode, VERSION_OF } from './door'

const PURPOSE = 'arrival'
const KEPT: Millis = limits.arrivalMinutes * MINUTE
/** At the latest: signed up at the last moment, and redeemed as late. */
export const ARRIVAL_LIFE: Millis = 2 * KEPT

export const closedDoor = (row: Show, at: Millis) =>
  new Refused(
    'closed',
    at < doorWindow(row).opensAt ? 'Check-in has not opened yet.' : 'Check-in for this show is over.',
  )
export const wrongCode = () =>
  new Refused('bad_input', 'That code is not right any more. Please take the one that the door shows now.')
export const TRIES_LAST: Millis = limits.doorTriesMinutes * MINUTE
export const tooManyTries = (sentence: string) =>
  new Refused('rate_limited', sentence, { retryAfterSeconds: TRIES_LAST / SECOND })

/** So many scans of one code have let somebody in: who has an account needs none, so it is no use to wait. */
export const manyScans = () =>
  new Refused('bad_token', 'So many have come in with that code. Please take the one that the door shows now.')

/** What the numbers of all the scans of one code begin with. */
export const codeOfScan = (number: string) => number.split('_').slice(0, 3).join('_')

/** The statement that takes one try back. */
const forgiveOne = (d1: D1Database, key: string) =>
  d1.prepare('UPDATE attempts SET count = count - 1 WHERE key = ?1 AND count > 1').bind(key)

/** What a token says of a scan: its number, when, at which version of the door, and a hash of whose browser. */
type Scan = { number: string; at: Millis; version: number; browser: string }
const written = ({ number, at, version, browser }: Scan, id: string) => [number, at, version, browser, id].join(':')

/**
 * A visitor's scan: a signed token that says who was let in where and when, for after signing up. It is worth nothing
 * without the secret of the `browser` that scanned, and of one code's only so many let somebody in (`checkIn`): tokens
 * cost nothing, so nobody uses up another's by asking for many.
 * @throws Refused `not_found`, `closed`, `rate_limited`, `bad_input`.
 */
export async function arrive(
  { db, secret }: House,
  { id, code, address, browser, at }: { id: string; code: string; address: string; browser: string; at: Millis },
): Promise<Arrival> {
  const row = await show(db, id)
  const { opensAt, closesAt } = doorWindow(row)
  if (at < opensAt || at >= closesAt) throw closedDoor(row, at)
  const d1 = db.$client
  // Of visitors, whom nothing else tells apart; whoever has an account has tries of their own.
  const key = await attemptKey(secret, 'door-address', id, address)
  const [tries, door] = await d1.batch<{ count: number; version: number }>([
    // Beyond the last try nothing is written any more.
    countTry(d1, { key, per: TRIES_LAST, now: at, unlessOver: { key, max: limits.doorTriesPerAddress } }),
    d1.prepare(`SELECT ${VERSION_OF('?1')} AS version`).bind(id),
  ])
  const spent = tries?.results[0]?.count ?? Number.POSITIVE_INFINITY
  if (spent > limits.doorTriesPerAddress)
    throw tooManyTries(
      'Too many wrong codes from this network. Please log in or sign up, and take the code that the door shows then.',
    )
  const version = door?.results[0]?.version ?? 0
  const step = await stepOfCode(secret, { concertId: id, version, code, at })
  if (step === null) throw wrongCode()
  await forgiveOne(d1, key).run()
  const scan = { number: newId(`arrival_${version}_${step}`), at, version, browser: await sha256(browser) }
  return {
    arrivalToken: await seal(secret, PURPOSE, written(scan, id)),
    expiresAt: new Date(at + KEPT).toISOString(),
  }
}

type Redeemed = {
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
 * @throws Refused `bad_token` for one of another show, hand, browser or secret of the door, or too old.
 */
export async function scanOf(secret: string, redeemed: Redeemed): Promise<string> {
  const { token, id, version, browser, joinedAt, at } = redeemed
  const value = (await unseal(secret, PURPOSE, token)) ?? ''
  const [number = '', scannedAt = '', ofVersion = '', ofBrowser = ''] = value.split(':')
  const scan = { number, at: Number(scannedAt), version, browser: browser === undefined ? '' : await sha256(browser) }
  if (number !== '' && ofVersion === String(version) && ofBrowser !== scan.browser)
    throw new Refused(
      'bad_token',
      'Only the browser that scanned can use that. Please scan the code at the door again.',
    )
  const from = joinedAt >= scan.at && joinedAt <= scan.at + KEPT ? joinedAt : scan.at
  if (value !== written(scan, id) || at < scan.at || at > from + KEPT)
    throw new Refused('bad_token', 'That scan cannot be used any more. Please scan the code at the door again.')
  return number
}
