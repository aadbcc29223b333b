import { eq, type SQL, sql } from 'drizzle-orm'
import { recordAudit } from '../audit/audit'
import { readShow, type ShowRow } from '../concerts/concerts'
import { type CheckInCode, type CheckInCounts, CODE_STEP_SECONDS } from '../contract/check-in'
import { type Db, prepare } from '../db/client'
import type { Actor, Deps } from '../deps'
import { AppError } from '../lib/app-error'
import { HOUR_MS, type Millis, SECOND_MS, toIso } from '../lib/clock'
import { base64url, fromBase64url, sign } from '../lib/crypto'
import { findTotpStep, totpCode } from '../lib/totp'
import { limits } from '../limits'
import { isWithinQuotas, type QuotaUse, quotaStatement } from '../quotas/quotas'
import { checkInSecretVersions } from './check-ins.table'

export type CheckInDeps = Pick<Deps, 'db' | 'secret'>

const STEP_MS: Millis = CODE_STEP_SECONDS * SECOND_MS

/**
 * Check-in is open from `opensAt` (inclusive) to `closesAt` (exclusive), which is after the planned end, because shows
 * run late.
 */
export function checkInWindow({ startsAt, endsAt }: Pick<ShowRow, 'startsAt' | 'endsAt'>) {
  return {
    opensAt: startsAt - limits.checkInOpensHoursBefore * HOUR_MS,
    closesAt: endsAt + limits.checkInClosesHoursAfter * HOUR_MS,
  }
}

/** The last time up to `at` at which a show's page changed (check-in opens or closes, the show ends); 0 if none. */
export function lastPageChangeAt(show: { startsAt: string; endsAt: string }, at: Millis): Millis {
  const startsAt = Date.parse(show.startsAt)
  const endsAt = Date.parse(show.endsAt)
  const { opensAt, closesAt } = checkInWindow({ startsAt, endsAt })
  return Math.max(0, ...[opensAt, endsAt, closesAt].filter((time) => time <= at))
}

/**
 * A show's check-in secret (TOTP), derived from the site's secret and a version: only the version is stored, and a new
 * version gives a new secret (docs/decisions/0007).
 */
const deriveCheckInSecret = async (secret: string, concertId: string, version: number) =>
  fromBase64url(await sign(secret, 'door', `${version}\n${concertId}`))

/** SQL of the version of a show's check-in secret. @param id SQL of the show's id. */
export const secretVersionSql = (id: string) => `coalesce((SELECT version FROM show_doors WHERE concert_id = ${id}), 0)`

/** TOTP step of a code; null for a wrong code. Accepts the current step and its neighbours, because clocks differ. */
export async function verifyCheckInCode(
  secret: string,
  { concertId, version, code, at }: { concertId: string; version: number; code: string; at: Millis },
): Promise<number | null> {
  return findTotpStep(await deriveCheckInSecret(secret, concertId, version), code, at)
}

/**
 * Statement that returns a row if the network is within its quota of wrong codes. A wrong code is counted, if `when`
 * holds. The code is verified before, so that concurrent guesses reveal no more than sequential ones.
 */
export const codeGuessStatement = (db: Db, uses: readonly QuotaUse[], isCorrect: boolean, at: Millis, when?: SQL) =>
  isCorrect
    ? prepare(db, sql`SELECT 1 AS isWithin WHERE ${isWithinQuotas(uses, at)}`)
    : quotaStatement(db, uses, at, when)

/** The current code, for the door page. @throws AppError `not_found`. */
export async function readCheckInCode({ db, secret }: CheckInDeps, id: string, at: Millis): Promise<CheckInCode> {
  const row = await readShow(db, id)
  const [secretRow] = await db.select().from(checkInSecretVersions).where(eq(checkInSecretVersions.concertId, id))
  return toCheckInCode(secret, row, secretRow?.version ?? 0, at)
}

/** Replaces a show's check-in secret and returns the new code. @throws AppError `not_found`. */
export async function rotateCheckInSecret(
  { db, secret }: CheckInDeps,
  { id, actorId, at }: Actor & { id: string },
): Promise<CheckInCode> {
  const row = await readShow(db, id)
  const d1 = db.$client
  const [updated] = await d1.batch([
    d1
      .prepare(
        `INSERT INTO show_doors (concert_id, version) VALUES (?1, 1)
         ON CONFLICT (concert_id) DO UPDATE SET version = version + 1 RETURNING version`,
      )
      .bind(id),
    recordAudit(db, { actorId, action: 'door.renewed', subject: `concert:${id}`, at }),
  ])
  const [secretRow] = (updated?.results ?? []) as { version: number }[]
  if (!secretRow) throw new Error('The check-in secret was not replaced.')
  return toCheckInCode(secret, row, secretRow.version, at)
}

/** SELECT of the number of users who are going, without banned and erased ones. @param id SQL of the show's id. */
export const attendeeCountSql = (id: string) => `SELECT count(*) FROM show_goers g JOIN users u ON u.id = g.user_id
  WHERE g.concert_id = ${id} AND u.banned_at IS NULL AND u.erased_at IS NULL`

/** Numbers of check-ins and of users who said that they are going. @throws AppError `not_found`. */
export async function readCheckInCounts(db: Db, id: string): Promise<CheckInCounts> {
  await readShow(db, id)
  const counts = await db.$client
    .prepare(
      `SELECT (SELECT count(*) FROM check_ins WHERE concert_id = ?1) AS arrived,
         (${attendeeCountSql('?1')}) AS going`,
    )
    .bind(id)
    .first<CheckInCounts>()
  return counts ?? { arrived: 0, going: 0 }
}

async function toCheckInCode(secret: string, row: ShowRow, version: number, at: Millis): Promise<CheckInCode> {
  const checkInSecret = await deriveCheckInSecret(secret, row.id, version)
  const step = Math.floor(at / STEP_MS)
  const { opensAt, closesAt } = checkInWindow(row)
  return {
    code: await totpCode(checkInSecret, step),
    expiresAt: toIso((step + 1) * STEP_MS),
    secret: base64url(checkInSecret),
    stepSeconds: CODE_STEP_SECONDS,
    now: toIso(at),
    opensAt: toIso(opensAt),
    closesAt: toIso(closesAt),
  }
}

export const checkInClosedError = (row: ShowRow, at: Millis) =>
  new AppError(
    'closed',
    at < checkInWindow(row).opensAt ? 'Check-in has not opened yet.' : 'Check-in for this show is over.',
  )

export const wrongCodeError = () =>
  new AppError('bad_input', 'That code is wrong or has expired. Please enter the one on the screen at the door.')
