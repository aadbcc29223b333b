import { attemptKey, countOwnTry, forgiveTries } from '../auth/attempts'
import { explained, mustStand, type Stands } from '../auth/joined'
import { CALLER, type Claim, callerBinds } from '../auth/sessions'
import { show } from '../concerts/concerts'
import { checkInApi } from '../contract/check-in'
import { POINTS } from '../contract/point-rules'
import type { Earned } from '../contract/points'
import type { Millis } from '../lib/clock'
import { Refused } from '../lib/refused'
import { limits } from '../limits'
import { FULFILLED, fulfilled } from '../points/fulfilled'
import { closedDoor, codeOfScan, manyScans, scanOf, TRIES_LAST, tooManyTries, wrongCode } from './arrivals'
import { doorWindow, type House, stepOfCode, VERSION_OF } from './door'

/** Whether ?1 is in at the show that `id` (SQL) names. */
const IS_IN = (id: string) => `EXISTS (SELECT 1 FROM check_ins WHERE concert_id = ${id} AND user_id = ?1)`

/** ?4 show: what is asked before a code is looked at. */
export const BEFORE = explained(`
  ${VERSION_OF('?4')} AS version,
  (SELECT created_at FROM users WHERE id = ?1) AS joinedAt,
  ${IS_IN('?4')} AS isIn`)

/**
 * ?4 show, ?5 now, ?6 the visitor's scan that is redeemed, or null, ?7 what the scans of its code begin with, ?8 how many
 * of them let somebody in. The plus keeps SQLite at the scans' own index: those of a code are few, those of a show many.
 */
export const ENTRY = `
  WITH ${CALLER} INSERT INTO check_ins (concert_id, user_id, checked_in_at, arrival_id)
  SELECT c.id, caller.id, ?5, ?6 FROM concerts c JOIN caller
  WHERE c.id = ?4 AND (?6 IS NULL OR ?8 > (
    SELECT count(*) FROM check_ins WHERE +concert_id = ?4 AND arrival_id > ?7 || '_' AND arrival_id < ?7 || '\`'))
  ON CONFLICT DO NOTHING RETURNING concert_id`

/** ?4 show, ?5 now, ?6 the scan, or null. */
export const AFTER = explained(`
  (SELECT points FROM caller) AS total,
  ${IS_IN('?4')} AS isIn,
  EXISTS (SELECT 1 FROM check_ins WHERE arrival_id = ?6) AS isUsed,
  ${FULFILLED("'check_in:' || ?4", '?5')} AS fulfilled`)

type Before = Stands & { version: number; joinedAt: Millis; isIn: number }
type After = Stands & { total: number; isIn: number; isUsed: number; fulfilled: string }

type Proof = { code?: string | undefined; arrivalToken?: string | undefined }
type Act = { claim: Claim; id: string; proof: Proof; browser: string | undefined; at: Millis }

/**
 * The bearer of `claim` checks in at a show, once: the row, its points and what they fulfil are one statement with its
 * triggers. A code is tried against the clock only while the person's own tries last, whoever else is behind their
 * address; a session that is over, a door that is closed and whoever is in already use none up.
 * @throws Refused `signed_out`, `forbidden`, `not_found`, `conflict` for who is in, `closed` outside the window,
 * `rate_limited`, `bad_input` for a wrong or old code, `bad_token` for a wrong, old or used scan, or one too many of its
 * code's.
 */
export async function checkIn(house: House, act: Act): Promise<Earned> {
  const { db, secret } = house
  const { claim, id, proof, browser, at } = act
  const row = await show(db, id)
  const d1 = db.$client
  const own = await attemptKey(secret, 'door', id, String(claim.userId))
  const { opensAt, closesAt } = doorWindow(row)
  const isOpen = at >= opensAt && at < closesAt
  const answers = await d1.batch([
    d1.prepare(BEFORE).bind(...callerBinds(claim), id),
    ...(proof.code === undefined || !isOpen
      ? []
      : [countOwnTry(d1, claim, { key: own, per: TRIES_LAST, now: at, unless: IS_IN('?7'), about: id })]),
  ])
  const before = mustStand(answers[0]?.results[0] as Before | undefined, checkInApi.checkIn.signIn)
  if (before.isIn) throw isIn()
  const tries = (answers[1]?.results[0] as { count: number } | undefined)?.count ?? 0
  if (proof.code !== undefined) {
    if (!isOpen) throw closedDoor(row, at)
    if (tries > limits.doorTriesPerPerson) throw tooManyTries('Too many wrong codes. Please wait a few minutes.')
    const step = await stepOfCode(secret, { concertId: id, version: before.version, code: proof.code, at })
    if (step === null) throw wrongCode()
  }
  const scan =
    proof.arrivalToken === undefined
      ? null
      : await scanOf(secret, { ...before, token: proof.arrivalToken, id, browser, at })
  const [entry, after] = await d1.batch([
    d1.prepare(ENTRY).bind(...callerBinds(claim), id, at, scan, scan && codeOfScan(scan), limits.arrivalsPerCode),
    d1.prepare(AFTER).bind(...callerBinds(claim), id, at, scan),
    ...(scan === null ? [forgiveTries(d1, own)] : []),
  ])
  const outcome = mustStand(after?.results[0] as After | undefined, checkInApi.checkIn.signIn)
  if (entry?.results.length === 1)
    return { pointsAwarded: POINTS.check_in, totalPoints: outcome.total, missions: fulfilled(outcome.fulfilled) }
  if (outcome.isIn) throw isIn()
  if (!outcome.isUsed) throw manyScans()
  throw new Refused('bad_token', 'That scan has let somebody in already. Please scan the code at the door again.')
}

const isIn = () => new Refused('conflict', 'You are checked in already.')
