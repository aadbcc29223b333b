import { recordAudit } from '../audit/audit'
import { readShow, type Show } from '../concerts/concerts'
import { type CheckInCode, type CheckInCounts, CODE_STEP_SECONDS } from '../contract/concerts'
import type { Db } from '../db/client'
import { HOUR_MS, type Millis, SECOND_MS } from '../lib/clock'
import { base64url, fromBase64url, sign } from '../lib/crypto'
import { findTotpStep, totpCode } from '../lib/totp'
import { limits } from '../limits'

/** Where the doors are: the database and the secret that every show's own is derived from. */
export type CheckInDeps = { db: Db; secret: string }

const STEP_MS: Millis = CODE_STEP_SECONDS * SECOND_MS

/**
 * When a show takes check-ins: from the hours in which a queue forms to a while after its planned end, because shows
 * run late. `opensAt` counts, `closesAt` does not.
 */
export function checkInWindow({ startsAt, endsAt }: Pick<Show, 'startsAt' | 'endsAt'>) {
  return {
    opensAt: startsAt - limits.checkInOpensHoursBefore * HOUR_MS,
    closesAt: endsAt + limits.checkInClosesHoursAfter * HOUR_MS,
  }
}

/** The last moment up to `at` from which a show's page says something else: its door opens or closes, the show ends; 0 before them all. */
export function lastPageChangeAt(show: { startsAt: string; endsAt: string }, at: Millis): Millis {
  const [startsAt, endsAt] = [Date.parse(show.startsAt), Date.parse(show.endsAt)]
  const { opensAt, closesAt } = checkInWindow({ startsAt, endsAt })
  return Math.max(0, ...[opensAt, endsAt, closesAt].filter((time) => time <= at))
}

/**
 * The secret of a show's door, from the site's own and the version of this door: nothing of it is stored, every show has
 * one before anybody asks (a GET writes nothing), and another version is another secret. See docs/decisions/0009.
 */
const doorSecret = async (secret: string, concertId: string, version: number) =>
  fromBase64url(await sign(secret, 'door', `${version}\n${concertId}`))

/** SQL: the version of the door of the show that `id` (SQL) names. */
export const DOOR_VERSION_SQL = (id: string) => `coalesce((SELECT version FROM show_doors WHERE concert_id = ${id}), 0)`

/** The step of a code: this moment's, the one before or the one after (clocks differ), so none lives a minute; else null. */
export async function verifyCheckInCode(
  secret: string,
  { concertId, version, code, at }: { concertId: string; version: number; code: string; at: Millis },
): Promise<number | null> {
  return findTotpStep(await doorSecret(secret, concertId, version), code, at)
}

/** What the door shows now. @throws AppError `not_found`. */
export async function readCheckInCode({ db, secret }: CheckInDeps, id: string, at: Millis): Promise<CheckInCode> {
  const row = await readShow(db, id)
  const door = await db.$client
    .prepare(`SELECT ${DOOR_VERSION_SQL('?1')} AS version`)
    .bind(id)
    .first<{ version: number }>()
  return toCheckInCode(secret, row, door?.version ?? 0, at)
}

/** Gives the door another secret, which an administrator does when one got out. @throws AppError `not_found`. */
export async function rotateCheckInSecret(
  { db, secret }: CheckInDeps,
  { id, actorId, at }: { id: string; actorId: number; at: Millis },
): Promise<CheckInCode> {
  const row = await readShow(db, id)
  const d1 = db.$client
  const [renewed] = await d1.batch([
    d1
      .prepare(
        `INSERT INTO show_doors (concert_id, version) VALUES (?1, 1)
         ON CONFLICT (concert_id) DO UPDATE SET version = version + 1 RETURNING version`,
      )
      .bind(id),
    recordAudit(d1, { actorId, action: 'door.renewed', subject: `concert:${id}`, at }),
  ])
  const [door] = (renewed?.results ?? []) as { version: number }[]
  if (!door) throw new Error('The door was not renewed.')
  return toCheckInCode(secret, row, door.version, at)
}

/** SQL: how many mean to go to the show that `id` (SQL) names; somebody who is suspended or gone is not counted. */
export const ATTENDEE_COUNT_SQL = (id: string) => `SELECT count(*) FROM show_goers g JOIN users u ON u.id = g.user_id
  WHERE g.concert_id = ${id} AND u.banned_at IS NULL AND u.erased_at IS NULL`

/** How many are in, and how many meant to come. @throws AppError `not_found`. */
export async function readCheckInCounts(db: Db, id: string): Promise<CheckInCounts> {
  await readShow(db, id)
  const counts = await db.$client
    .prepare(
      `SELECT (SELECT count(*) FROM check_ins WHERE concert_id = ?1) AS arrived,
         (${ATTENDEE_COUNT_SQL('?1')}) AS going`,
    )
    .bind(id)
    .first<CheckInCounts>()
  return counts ?? { arrived: 0, going: 0 }
}

async function toCheckInCode(secret: string, row: Show, version: number, at: Millis): Promise<CheckInCode> {
  const showSecret = await doorSecret(secret, row.id, version)
  const step = Math.floor(at / STEP_MS)
  const { opensAt, closesAt } = checkInWindow(row)
  const iso = (instant: Millis) => new Date(instant).toISOString()
  return {
    code: await totpCode(showSecret, step),
    expiresAt: iso((step + 1) * STEP_MS),
    secret: base64url(showSecret),
    stepSeconds: CODE_STEP_SECONDS,
    now: iso(at),
    opensAt: iso(opensAt),
    closesAt: iso(closesAt),
  }
}
