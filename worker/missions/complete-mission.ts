import { requireActiveSession, type SessionStatusRow, withSessionStatus } from '../auth/require-session'
import { callerBinds, type SessionPayload } from '../auth/sessions'
import type { MissionAward } from '../contract/points'
import { artistDay } from '../db/artist-calendar'
import type { Db } from '../db/client'
import { AppError } from '../lib/app-error'
import type { Millis } from '../lib/clock'
import { MISSION_PROGRESS_CTES, missionAwardSql, missionReversedSql } from './missions'

/**
 * ?4 now, ?5 mission, ?6 today's number on the artist's calendar. Whether the mission is done is asked in the statement
 * that pays it: an act taken back a moment before counts no more. The key is the one that the trigger would take
 * (migration 0017) and pays it once, whatever paid it first.
 */
const INSERT_AWARD = `
  WITH ${MISSION_PROGRESS_CTES} INSERT INTO ledger (user_id, action, key, description, points, created_at)
  SELECT caller.id, 'mission',
    'mission:' || m.id || (SELECT iif(count(*) = 0, '', '#' || (count(*) + 1)) FROM ledger l
      WHERE l.user_id = caller.id AND ${missionAwardSql('m', 'l')}),
    'Completed “' || m.title || '”', m.points, ?4
  FROM caller JOIN progress m ON m.id = ?5 AND NOT m.completed AND NOT m.takenBack
  WHERE m.target <= CASE WHEN m.isStreak THEN iif(m.lastDay >= ?6 - 1, coalesce(m.run, m.target), 0) ELSE m.acts END
  ON CONFLICT DO NOTHING`
/** ?4 mission. */
const OUTCOME = withSessionStatus(`
  (SELECT points FROM caller) AS total,
  EXISTS (SELECT 1 FROM missions WHERE id = ?4 AND is_active = 1) AS isThere,
  (SELECT s.points FROM missions m JOIN standing_acts s ON s.user_id = ?1 AND ${missionAwardSql('m', 's')} WHERE m.id = ?4) AS awarded,
  (SELECT ${missionReversedSql('m')} FROM missions m WHERE m.id = ?4) AS takenBack`)

type Outcome = SessionStatusRow & { total: number; isThere: number; awarded: number | null; takenBack: number | null }

/**
 * Repeats the award of a mission that the ledger shows done, and pays it where it was set up after its acts. Asked
 * again, it answers again: the points stand in the ledger once.
 * @throws AppError `not_found`, `conflict` while it is not done and once a person took it back, `signed_out`, `forbidden`.
 */
export async function completeMission(
  db: Db,
  { session, id, at }: { session: SessionPayload; id: string; at: Millis },
): Promise<MissionAward> {
  const d1 = db.$client
  const today = await artistDay(d1, at)
  const [, explanation] = await d1.batch([
    d1.prepare(INSERT_AWARD).bind(...callerBinds(session), at, id, today.number),
    d1.prepare(OUTCOME).bind(...callerBinds(session), id),
  ])
  const outcome = requireActiveSession(explanation?.results[0] as Outcome | undefined, null)
  if (!outcome.isThere) throw new AppError('not_found', 'That mission does not exist.')
  if (outcome.awarded !== null) return { pointsAwarded: outcome.awarded, totalPoints: outcome.total }
  if (outcome.takenBack)
    throw new AppError('conflict', 'The points of this mission were taken back. It is not paid again.')
  throw new AppError('conflict', 'This mission is not done yet.')
}
