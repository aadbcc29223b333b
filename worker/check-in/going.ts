import { explained, mustStand, type Stands } from '../auth/joined'
import { CALLER, type Claim, callerBinds } from '../auth/sessions'
import { asSeen, show } from '../concerts/concerts'
import { checkInApi, type Going, type ShowPage } from '../contract/check-in'
import { POINTS } from '../contract/point-rules'
import type { Db } from '../db/client'
import type { Millis } from '../lib/clock'
import { Refused } from '../lib/refused'
import { limits } from '../limits'
import { doorWindow, GOERS_OF } from './door'

/** ?4 show. Somebody who is suspended or gone is not named either. */
const STANDING = explained(`
  (${GOERS_OF('?4')}) AS count,
  (SELECT json_group_array(username) FROM (
    SELECT u.username FROM show_goers g JOIN users u ON u.id = g.user_id
    WHERE g.concert_id = ?4 AND g.is_named = 1 AND u.banned_at IS NULL AND u.erased_at IS NULL
    ORDER BY g.created_at DESC, g.user_id LIMIT ${limits.goersNamed})) AS names,
  (SELECT g.is_named FROM show_goers g JOIN caller ON caller.id = g.user_id WHERE g.concert_id = ?4) AS named,
  (SELECT i.checked_in_at FROM check_ins i JOIN caller ON caller.id = i.user_id WHERE i.concert_id = ?4) AS doneAt`)

type Standing = Stands & { count: number; names: string; named: number | null; doneAt: Millis | null }

/** ?4 show, ?5 named, ?6 now. Who is on the list already changes whether they are named. */
const GO = `
  WITH ${CALLER} INSERT INTO show_goers (concert_id, user_id, is_named, created_at)
  SELECT c.id, caller.id, ?5, ?6 FROM concerts c JOIN caller WHERE c.id = ?4
  ON CONFLICT (concert_id, user_id) DO UPDATE SET is_named = excluded.is_named`
const STAY = `WITH ${CALLER} DELETE FROM show_goers WHERE concert_id = ?4 AND user_id = (SELECT id FROM caller)`

type Asked = { claim: Claim | null; id: string; at: Millis }

/** Everything on a show's page, for the bearer of `claim` (null is a visitor). @throws Refused `not_found`. */
export async function showPage(db: Db, { claim, id, at }: Asked): Promise<ShowPage> {
  const row = await show(db, id)
  const standing = await db.$client
    .prepare(STANDING)
    .bind(...callerBinds(claim), id)
    .first<Standing>()
  if (!standing) throw new Error('The explaining statement returned no row.')
  const { opensAt, closesAt } = doorWindow(row)
  return {
    ...asSeen(row),
    endsAt: iso(row.endsAt),
    now: iso(at),
    checkIn: {
      opensAt: iso(opensAt),
      closesAt: iso(closesAt),
      points: POINTS.check_in,
      doneAt: standing.doneAt === null ? null : iso(standing.doneAt),
    },
    going: goingOf(standing),
  }
}

/**
 * The bearer of `claim` says that they go (`named` or not), or with `going: false` that they do not.
 * @throws Refused `not_found`, `closed` once the show is over, `signed_out`, `forbidden`.
 */
export async function sayGoing(
  db: Db,
  { claim, id, at, ...word }: { claim: Claim; id: string; at: Millis; going: boolean; named: boolean },
): Promise<Going> {
  const row = await show(db, id)
  if (word.going && row.endsAt <= at) throw new Refused('closed', 'This show is over.')
  const d1 = db.$client
  const binds = [...callerBinds(claim), id] as const
  const [, answer] = await d1.batch([
    word.going ? d1.prepare(GO).bind(...binds, word.named ? 1 : 0, at) : d1.prepare(STAY).bind(...binds),
    d1.prepare(STANDING).bind(...binds),
  ])
  return goingOf(mustStand(answer?.results[0] as Standing | undefined, checkInApi.going.signIn))
}

const goingOf = ({ stands, count, names, named }: Standing): Going => ({
  count,
  names: JSON.parse(names) as string[],
  me: stands ? { going: named !== null, named: named === 1 } : null,
})
const iso = (at: Millis) => new Date(at).toISOString()
