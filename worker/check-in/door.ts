import { recorded } from '../audit/audit'
import { type Show, show } from '../concerts/concerts'
import { type Arrivals, DOOR_STEP_SECONDS, type DoorCode } from '../contract/check-in'
import type { Db } from '../db/client'
import { HOUR, type Millis, SECOND } from '../lib/clock'
import { base64url, fromBase64url } from '../lib/secret'
import { sign } from '../lib/signature'
import { codeAt, stepOf } from '../lib/totp'
import { limits } from '../limits'

/** Where the doors are: the database and the secret that every show's own is derived from. */
export type House = { db: Db; secret: string }

const STEP: Millis = DOOR_STEP_SECONDS * SECOND

/**
 * When a show takes check-ins: from the hours in which a queue forms to a while after its planned end, because shows
 * run late. `opensAt` counts, `closesAt` does not.
 */
export function doorWindow({ startsAt, endsAt }: Pick<Show, 'startsAt' | 'endsAt'>) {
  return {
    opensAt: startsAt - limits.doorOpensHoursBefore * HOUR,
    closesAt: endsAt + limits.doorClosesHoursAfter * HOUR,
  }
}

/** The last moment up to `at` from which a show's page says something else: its door opens or closes, the show ends; 0 before them all. */
export function lastTurn(show: { startsAt: string; endsAt: string }, at: Millis): Millis {
  const [startsAt, endsAt] = [Date.parse(show.startsAt), Date.parse(show.endsAt)]
  const { opensAt, closesAt } = doorWindow({ startsAt, endsAt })
  return Math.max(0, ...[opensAt, endsAt, closesAt].filter((turn) => turn <= at))
}

/**
 * The secret of a show's door, from the site's own and the version of this door: nothing of it is stored, every show has
 * one before anybody asks (a GET writes nothing), and another version is another secret. See docs/decisions/0009.
 */
const doorSecret = async (secret: string, concertId: string, version: number) =>
  fromBase64url(await sign(secret, 'door', `${version}\n${concertId}`))

/** SQL: the version of the door of the show that `id` (SQL) names. */
export const VERSION_OF = (id: string) => `coalesce((SELECT version FROM show_doors WHERE concert_id = ${id}), 0)`

/** The step of a code: this moment's, the one before or the one after (clocks differ), so none lives a minute; else null. */
export async function stepOfCode(
  secret: string,
  { concertId, version, code, at }: { concertId: string; version: number; code: string; at: Millis },
): Promise<number | null> {
  return stepOf(await doorSecret(secret, concertId, version), code, at)
}

/** What the door shows now. @throws Refused `not_found`. */
export async function doorCode({ db, secret }: House, id: string, at: Millis): Promise<DoorCode> {
  const row = await show(db, id)
  const door = await db.$client
    .prepare(`SELECT ${VERSION_OF('?1')} AS version`)
    .bind(id)
    .first<{ version: number }>()
  return shown(secret, row, door?.version ?? 0, at)
}

/** Gives the door another secret, which an administrator does when one got out. @throws Refused `not_found`. */
export async function renewDoor(
  { db, secret }: House,
  { id, actorId, at }: { id: string; actorId: number; at: Millis },
): Promise<DoorCode> {
  const row = await show(db, id)
  const d1 = db.$client
  const [renewed] = await d1.batch([
    d1
      .prepare(
        `INSERT INTO show_doors (concert_id, version) VALUES (?1, 1)
         ON CONFLICT (concert_id) DO UPDATE SET version = version + 1 RETURNING version`,
      )
      .bind(id),
    recorded(d1, { actorId, action: 'door.renewed', subject: `concert:${id}`, at }),
  ])
  const [door] = (renewed?.results ?? []) as { version: number }[]
  if (!door) throw new Error('The door was not renewed.')
  return shown(secret, row, door.version, at)
}

/** SQL: how many mean to go to the show that `id` (SQL) names; somebody who is suspended or gone is not counted. */
export const GOERS_OF = (id: string) => `SELECT count(*) FROM show_goers g JOIN users u ON u.id = g.user_id
  WHERE g.concert_id = ${id} AND u.banned_at IS NULL AND u.erased_at IS NULL`

/** How many are in, and how many meant to come. @throws Refused `not_found`. */
export async function arrivals(db: Db, id: string): Promise<Arrivals> {
  await show(db, id)
  const counted = await db.$client
    .prepare(
      `SELECT (SELECT count(*) FROM check_ins WHERE concert_id = ?1) AS arrived,
         (${GOERS_OF('?1')}) AS going`,
    )
    .bind(id)
    .first<Arrivals>()
  return counted ?? { arrived: 0, going: 0 }
}

async function shown(secret: string, row: Show, version: number, at: Millis): Promise<DoorCode> {
  const own = await doorSecret(secret, row.id, version)
  const step = Math.floor(at / STEP)
  const { opensAt, closesAt } = doorWindow(row)
  const iso = (instant: Millis) => new Date(instant).toISOString()
  return {
    code: await codeAt(own, step),
    expiresAt: iso((step + 1) * STEP),
    secret: base64url(own),
    stepSeconds: DOOR_STEP_SECONDS,
    now: iso(at),
    opensAt: iso(opensAt),
    closesAt: iso(closesAt),
  }
}
