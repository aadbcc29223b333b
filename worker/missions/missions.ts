import {
  CALLER_CTE,
  callerBinds,
  requireActiveSession,
  type SessionPayload,
  type SessionStatusRow,
  withSessionStatus,
} from '../auth/sessions'
import type { Mission, MissionAward, PointsAward } from '../contract/points'
import { artistDay, calendarDay } from '../db/artist-calendar'
import type { Db } from '../db/client'
import { AppError } from '../lib/app-error'
import { DAY_MS, type Millis } from '../lib/clock'

type Row = {
  id: string
  title: string
  description: string
  points: number
  action: string
  target: number
  isStreak: number
  completed: number
  takenBack: number
  actionCount: number
  lastDay: number | null
  run: number | null
}

const IS_CALLERS_ACTION = 's.user_id = (SELECT id FROM caller)'
/** Actions recent enough for the current streak; ?4 is now. The view `standing_acts` excludes reversed ones. */
const FROM_RECENT_ACTIONS = `FROM standing_acts s WHERE ${IS_CALLERS_ACTION} AND s.action = m.action AND s.at > ?4 - (m.target + 2) * ${DAY_MS}`

/**
 * SQL: ledger row `row` is an award of `mission`. Keys are `mission:<id>`, or `mission:<id>#2` if earned again after a
 * refund (migration 0017); no other key is in the range up to `mission:<id>$`.
 */
const missionAwardSql = (mission: string, row: string) =>
  `${row}.key >= 'mission:' || ${mission}.id AND ${row}.key < 'mission:' || ${mission}.id || '$'`

/** SQL: an administrator reversed the caller's award, after which it cannot be earned again (unlike a refund). */
const missionReversedSql = (mission: string) => `EXISTS (
  SELECT 1 FROM ledger l JOIN ledger u ON u.user_id = l.user_id AND u.key = 'undo:' || l.key AND u.action <> 'merch_refund'
  WHERE l.user_id = (SELECT id FROM caller) AND ${missionAwardSql(mission, 'l')})`

/**
 * CTEs: `caller`, and `progress` with the caller's progress in active missions, counted as in the trigger that awards
 * them (migration 0017). `lastDay` and `run` of a streak: its latest day, and the number of consecutive days up to it.
 * ?4 is now.
 */
const MISSION_PROGRESS_CTES = `
  ${CALLER_CTE}, mine AS (
    SELECT *, EXISTS (SELECT 1 FROM standing_acts s WHERE ${IS_CALLERS_ACTION} AND ${missionAwardSql('missions', 's')}) AS completed,
      ${missionReversedSql('missions')} AS takenBack
    FROM missions WHERE is_active = 1),
  progress AS (
  SELECT m.id, m.title, m.description, m.points, m.action, m.target, m.position, m.is_streak AS isStreak, m.completed, m.takenBack,
    CASE WHEN NOT (m.completed OR m.is_streak) THEN (
      SELECT count(*) FROM standing_acts s WHERE ${IS_CALLERS_ACTION} AND s.action = m.action
      AND s.at > coalesce(?4 - m.within_days * ${DAY_MS}, -1)) ELSE 0 END AS actionCount,
    CASE WHEN m.is_streak AND NOT m.completed THEN (SELECT max(s.day) ${FROM_RECENT_ACTIONS}) END AS lastDay,
    CASE WHEN m.is_streak AND NOT m.completed THEN (
      SELECT max(s.day) - max(CASE WHEN NOT EXISTS (
        SELECT 1 FROM standing_acts b WHERE b.user_id = s.user_id AND b.action = s.action AND b.day = s.day - 1
        AND b.at > ?4 - (m.target + 3) * ${DAY_MS}) THEN s.day END) + 1 ${FROM_RECENT_ACTIONS}) END AS run
  FROM mine m)`

export const SELECT_MISSIONS = `
  WITH ${MISSION_PROGRESS_CTES} SELECT id, title, description, points, action, target, isStreak, completed, takenBack, actionCount, lastDay, run
  FROM progress ORDER BY position, id`

/** Active missions with the caller's progress; `session` null is a visitor. One round trip. */
export async function listMissions(
  db: Db,
  { session, at }: { session: SessionPayload | null; at: Millis },
): Promise<Mission[]> {
  const d1 = db.$client
  const [rows, site] = await d1.batch([
    d1.prepare(SELECT_MISSIONS).bind(...callerBinds(session), at),
    d1.prepare('SELECT time_zone AS zone FROM site LIMIT 1'),
  ])
  const zone = (site?.results as { zone: string }[] | undefined)?.[0]?.zone ?? 'UTC'
  const today = calendarDay(zone, at).number
  return ((rows?.results ?? []) as Row[]).map(
    ({ isStreak, completed, takenBack, actionCount, lastDay, run, ...mission }) => {
      // A streak ends after a whole day without the action.
      const days = lastDay !== null && lastDay >= today - 1 ? (run ?? mission.target) : 0
      const progress = completed ? mission.target : Math.min(isStreak ? days : actionCount, mission.target)
      return { ...mission, progress, completed: completed === 1, takenBack: !completed && takenBack === 1 }
    },
  )
}

type CompletedMissions = PointsAward['missions']

/**
 * Column: missions that a ledger entry completed, as JSON for `parseCompletedMissions`. `key`, `at` and `userId` are SQL
 * and identify the entry. The trigger awards missions after it, with its timestamp.
 */
export const completedMissionsSql = (key: string, at: string, userId = '?1') => `(
  SELECT json_group_array(json_object('id', m.id, 'title', m.title, 'points', paid.points))
  FROM ledger entry JOIN ledger paid ON paid.user_id = entry.user_id AND paid.action = 'mission' AND paid.created_at = ${at}
  JOIN missions m ON ${missionAwardSql('m', 'paid')}
  WHERE entry.user_id = ${userId} AND entry.key = ${key} AND entry.created_at = ${at} AND paid.id > entry.id)`

export function parseCompletedMissions(column: string): CompletedMissions {
  return JSON.parse(column) as CompletedMissions
}

/**
 * ?4 now, ?5 mission, ?6 today's number in the artist's time zone. Checks completion in the statement that awards. The
 * key is the same as the trigger's (migration 0017), so a mission is awarded once.
 */
const INSERT_AWARD = `
  WITH ${MISSION_PROGRESS_CTES} INSERT INTO ledger (user_id, action, key, description, points, created_at)
  SELECT caller.id, 'mission',
    'mission:' || m.id || (SELECT iif(count(*) = 0, '', '#' || (count(*) + 1)) FROM ledger l
      WHERE l.user_id = caller.id AND ${missionAwardSql('m', 'l')}),
    'Completed “' || m.title || '”', m.points, ?4
  FROM caller JOIN progress m ON m.id = ?5 AND NOT m.completed AND NOT m.takenBack
  WHERE m.target <= CASE WHEN m.isStreak THEN iif(m.lastDay >= ?6 - 1, coalesce(m.run, m.target), 0) ELSE m.actionCount END
  ON CONFLICT DO NOTHING`
/** ?4 mission. */
const OUTCOME = withSessionStatus(`
  (SELECT points FROM caller) AS total,
  EXISTS (SELECT 1 FROM missions WHERE id = ?4 AND is_active = 1) AS isThere,
  (SELECT s.points FROM missions m JOIN standing_acts s ON s.user_id = ?1 AND ${missionAwardSql('m', 's')} WHERE m.id = ?4) AS awarded,
  (SELECT ${missionReversedSql('m')} FROM missions m WHERE m.id = ?4) AS takenBack`)

type Outcome = SessionStatusRow & { total: number; isThere: number; awarded: number | null; takenBack: number | null }

/**
 * Returns the award of a completed mission, and adds it if the mission was created after the actions. Idempotent.
 * @throws AppError `not_found`, `conflict` if not completed or reversed, `signed_out`, `forbidden`.
 */
export async function completeMission(
  db: Db,
  { session, id, at }: { session: SessionPayload; id: string; at: Millis },
): Promise<MissionAward> {
  const d1 = db.$client
  const today = await artistDay(db, at)
  const [, explanation] = await d1.batch([
    d1.prepare(INSERT_AWARD).bind(...callerBinds(session), at, id, today.number),
    d1.prepare(OUTCOME).bind(...callerBinds(session), id),
  ])
  const outcome = requireActiveSession(explanation?.results[0] as Outcome | undefined, null)
  if (!outcome.isThere) throw new AppError('not_found', 'That mission does not exist.')
  if (outcome.awarded !== null) return { pointsAwarded: outcome.awarded, totalPoints: outcome.total }
  if (outcome.takenBack)
    throw new AppError('conflict', 'The points of this mission were taken back, so it cannot be completed again.')
  throw new AppError('conflict', 'This mission is not done yet.')
}
