import { attemptKey, countTry } from '../auth/attempts'
import { type Show, show } from '../concerts/concerts'
import type { Arrival } from '../contract/check-in'
import { MINUTE, type Millis } from '../lib/clock'
import { newId } from '../lib/ids'
import { Refused } from '../lib/refused'
import { seal, unseal } from '../lib/signature'
import { limits } from '../limits'
import { doorWindow, type House, isDoorCode, VERSION_OF } from './door'

const PURPOSE = 'arrival'
const KEPT: Millis = limits.arrivalMinutes * MINUTE

export const closedDoor = (row: Show, at: Millis) =>
  new Refused(
    'closed',
    at < doorWindow(row).opensAt ? 'Check-in has not opened yet.' : 'Check-in for this show is over.',
  )
export const wrongCode = () =>
  new Refused('bad_input', 'That code is not right any more. Please take the one that the door shows now.')
export const tooManyTries = () =>
  new Refused('rate_limited', 'Too many wrong codes. Please wait a few minutes.', {
    retryAfterSeconds: (limits.doorTriesMinutes * MINUTE) / 1000,
  })

/** Tries of one network at one door; whoever walks in gives theirs back (`forgiveOne`). */
export const networkKey = (secret: string, concertId: string, address: string) =>
  attemptKey(secret, 'door-address', concertId, address)
export const TRIES = { max: limits.doorTriesPerAddress, per: limits.doorTriesMinutes * MINUTE }

/** The statement that takes one try back. */
export const forgiveOne = (d1: D1Database, key: string) =>
  d1.prepare('UPDATE attempts SET count = count - 1 WHERE key = ?1 AND count > 1').bind(key)

/**
 * A visitor's scan: a signed token that says who was let in where and when, for after signing up.
 * @throws Refused `not_found`, `closed`, `rate_limited`, `bad_input`.
 */
export async function arrive(
  { db, secret }: House,
  { id, code, address, at }: { id: string; code: string; address: string; at: Millis },
): Promise<Arrival> {
  const row = await show(db, id)
  const { opensAt, closesAt } = doorWindow(row)
  if (at < opensAt || at >= closesAt) throw closedDoor(row, at)
  const d1 = db.$client
  const key = await networkKey(secret, id, address)
  const [tries, door] = await d1.batch<{ count: number; version: number }>([
    countTry(d1, { key, per: TRIES.per, now: at }),
    d1.prepare(`SELECT ${VERSION_OF('?1')} AS version`).bind(id),
  ])
  if ((tries?.results[0]?.count ?? 0) > TRIES.max) throw tooManyTries()
  const version = door?.results[0]?.version ?? 0
  if (!(await isDoorCode(secret, { concertId: id, version, code, at }))) throw wrongCode()
  await forgiveOne(d1, key).run()
  return {
    arrivalToken: await seal(secret, PURPOSE, `${newId('arrival')}:${at}:${id}`),
    expiresAt: new Date(at + KEPT).toISOString(),
  }
}

/**
 * The scan behind a token. It is good for 30 minutes; who signed up in that time has 30 minutes from then.
 * @throws Refused `bad_token` for one of another show or hand, or too old.
 */
export async function scanOf(
  secret: string,
  { token, id, joinedAt, at }: { token: string; id: string; joinedAt: Millis; at: Millis },
): Promise<string> {
  const [scan = '', scannedAt = '', ...rest] = ((await unseal(secret, PURPOSE, token)) ?? '').split(':')
  const scanned = Number(scannedAt)
  const isOurs = scan !== '' && rest.join(':') === id
  const from = joinedAt >= scanned && joinedAt <= scanned + KEPT ? joinedAt : scanned
  if (!isOurs || at < scanned || at > from + KEPT)
    throw new Refused('bad_token', 'That scan cannot be used any more. Please scan the code at the door again.')
  return scan
}
