import { explained, mustStand, type Stands } from '../auth/joined'
import { CALLER, type Claim, callerBinds } from '../auth/sessions'
import type { Completed } from '../contract/points'
import type { Db } from '../db/client'
import type { Millis } from '../lib/clock'
import { Refused } from '../lib/refused'
import { AWARD_OF, missions } from './missions'

/** ?4 mission, ?5 now. The key pays it once, whatever paid it first. */
const PAID = `
  WITH ${CALLER} INSERT INTO ledger (user_id, action, key, description, points, created_at)
  SELECT caller.id, 'mission', 'mission:' || m.id, 'Completed “' || m.title || '”', m.points, ?5
  FROM caller JOIN missions m ON m.id = ?4 AND m.is_active = 1 WHERE true ON CONFLICT DO NOTHING`
const OUTCOME = explained(`
  (SELECT points FROM caller) AS total,
  (SELECT s.points FROM missions m JOIN standing_acts s ON s.user_id = ?1 AND ${AWARD_OF('m', 's')} WHERE m.id = ?4) AS awarded`)

/**
 * Repeats the award of a mission that the ledger shows done, and pays it where it was set up after its acts. Asked
 * again, it answers again: the points stand in the ledger once.
 * @throws Refused `not_found`, `conflict` while it is not done, `signed_out`, `forbidden`.
 */
export async function completeMission(
  db: Db,
  { claim, id, at }: { claim: Claim; id: string; at: Millis },
): Promise<Completed> {
  const mission = (await missions(db, { claim, at })).find((one) => one.id === id)
  if (!mission) throw new Refused('not_found', 'That mission does not exist.')
  const isDone = mission.progress >= mission.target
  const d1 = db.$client
  const answers = await d1.batch([
    ...(isDone ? [d1.prepare(PAID).bind(...callerBinds(claim), id, at)] : []),
    d1.prepare(OUTCOME).bind(...callerBinds(claim), id),
  ])
  const outcome = mustStand(
    answers.at(-1)?.results[0] as (Stands & { total: number; awarded: number | null }) | undefined,
    null,
  )
  if (outcome.awarded === null) throw new Refused('conflict', 'This mission is not done yet.')
  return { pointsAwarded: outcome.awarded, totalPoints: outcome.total }
}
