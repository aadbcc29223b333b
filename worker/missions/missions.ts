import {
  CALLER_CTE,
  callerBinds,
  requireActiveSession,
  type SessionPayload,
  type SessionStatusRow,
  withSessionStatus,
} from '../auth/sessions'
import type { Mission, MissionAward, PointsAward } from '../contract/points'
import { artistDay, dayInZone } from '../db/artist-calendar'
import type { Db } from '../db/client'
import { AppError } from '../lib/app-error'
import { DAY_MS, type Millis } from '../lib/clock'

type MissionRow = {
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
  streakDays: number | null
}

const IS_OF_CALLER = 'entry.user_id = (SELECT id FROM caller)'
/**
 * Entries recent enough for the current streak: of today, the `target` days before it, and a spare day. ?4 is now. The
 * view `standing_acts` excludes reversed entries.
 */
const FROM_RECENT_ENTRIES = `FROM standing_acts entry
  WHERE ${IS_OF_CALLER} AND entry.action = mission.action AND entry.at > ?4 - (mission.target + 2) * ${DAY_MS}`

/**
 * SQL condition: the ledger entry `entry` is an award of `mission`. Keys are `mission:<id>`, or `mission:<id>#2` if
 * earned again after a refund (migration 0017); no other key is in the range up to `mission:<id>$`.
 */
const missionAwardSql = (mission: string, entry: string) =>
  `${entry}.key >= 'mission:' || ${mission}.id AND ${entry}.key < 'mission:' || ${mission}.id || '$'`

/** SQL condition: an admin reversed the caller's award. Unlike after a refund, it cannot be earned again. */
const missionReversedSql = (mission: string) => `EXISTS (
  SELECT 1 FROM ledger award JOIN ledger reversal ON reversal.user_id = award.user_id
    AND reversal.key = 'undo:' || award.key AND reversal.action <> 'merch_refund'
  WHERE award.user_id = (SELECT id FROM caller) AND ${missionAwardSql(mission, 'award')})`

/**
 * CTEs: `caller`, and `progress` in active missions, counted as in the trigger that awards them (migration 0017). Of a
 * streak, `streakDays` counts the days up to `lastDay`; null if they began before the recent entries. ?4 is now.
 */
const MISSION_PROGRESS_CTES = `
  ${CALLER_CTE}, active AS (
    SELECT *,
      EXISTS (SELECT 1 FROM standing_acts entry WHERE ${IS_OF_CALLER} AND ${missionAwardSql('missions', 'entry')}) AS completed,
      ${missionReversedSql('missions')} AS takenBack
    FROM missions WHERE is_active = 1),
  progress AS (
  SELECT mission.id, mission.title, mission.description, mission.points, mission.action, mission.target,
    mission.position, mission.is_streak AS isStreak, mission.completed, mission.takenBack,
    CASE WHEN NOT (mission.completed OR mission.is_streak) THEN (
      SELECT count(*) FROM standing_acts entry WHERE ${IS_OF_CALLER} AND entry.action = mission.action
      AND entry.at > coalesce(?4 - mission.within_days * ${DAY_MS}, -1)) ELSE 0 END AS actionCount,
    CASE WHEN mission.is_streak AND NOT mission.completed THEN (SELECT max(entry.day) ${FROM_RECENT_ENTRIES}) END AS lastDay,
    CASE WHEN mission.is_streak AND NOT mission.completed THEN (
      SELECT max(entry.day) - max(CASE WHEN NOT EXISTS (
        SELECT 1 FROM standing_acts previous WHERE previous.user_id = entry.user_id AND previous.action = entry.action
        AND previous.day = entry.day - 1 AND previous.at > ?4 - (mission.target + 3) * ${DAY_MS}) THEN entry.day END) + 1
      ${FROM_RECENT_ENTRIES}) END AS streakDays
  FROM active mission)`

/** Active missions with the caller's progress. Binds `callerBinds` and ?4 now. */
export const SELECT_MISSIONS = `
  WITH ${MISSION_PROGRESS_CTES} SELECT id, title, description, points, action, target, isStreak, completed, takenBack,
    actionCount, lastDay, streakDays
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
  const today = dayInZone(zone, at).number
  return ((rows?.results ?? []) as MissionRow[]).map(
    ({ isStreak, completed, takenBack, actionCount, lastDay, streakDays, ...mission }) => {
      // A streak ends after a whole day without the action.
      const isOngoing = lastDay !== null && lastDay >= today - 1
      const currentStreakDays = isOngoing ? (streakDays ?? mission.target) : 0
      const actions = isStreak ? currentStreakDays : actionCount
      const progress = completed ? mission.target : Math.min(actions, mission.target)
      return { ...mission, progress, completed: completed === 1, takenBack: !completed && takenBack === 1 }
    },
  )
}

type CompletedMissions = PointsAward['missions']

/**
 * SQL column: missions that a ledger entry completed, as JSON for `parseCompletedMissions`. `key`, `at` and `userId`
 * are SQL and identify the entry. The trigger inserts the awards after the entry, with the entry's timestamp.
 */
export const completedMissionsSql = (key: string, at: string, userId = '?1') => `(
  SELECT json_group_array(json_object('id', mission.id, 'title', mission.title, 'points', award.points))
  FROM ledger entry JOIN ledger award ON award.user_id = entry.user_id AND award.action = 'mission'
    AND award.created_at = ${at}
  JOIN missions mission ON ${missionAwardSql('mission', 'award')}
  WHERE entry.user_id = ${userId} AND entry.key = ${key} AND entry.created_at = ${at} AND award.id > entry.id)`

export function parseCompletedMissions(column: string): CompletedMissions {
  return JSON.parse(column) as CompletedMissions
}

/**
 * Awards a mission if it is completed. ?4 now, ?5 mission, ?6 today's number in the artist's time zone. The key is the
 * same as the trigger's (migration 0017), so a mission is awarded once.
 */
const INSERT_AWARD = `
  WITH ${MISSION_PROGRESS_CTES} INSERT INTO ledger (user_id, action, key, description, points, created_at)
  SELECT caller.id, 'mission',
    'mission:' || progress.id || (SELECT iif(count(*) = 0, '', '#' || (count(*) + 1)) FROM ledger award
      WHERE award.user_id = caller.id AND ${missionAwardSql('progress', 'award')}),
    'Completed “' || progress.title || '”', progress.points, ?4
  FROM caller JOIN progress ON progress.id = ?5 AND NOT progress.completed AND NOT progress.takenBack
  WHERE progress.target <= CASE WHEN progress.isStreak
    THEN iif(progress.lastDay >= ?6 - 1, coalesce(progress.streakDays, progress.target), 0)
    ELSE progress.actionCount END
  ON CONFLICT DO NOTHING`
/** The award, or why there is none. ?4 is the mission. */
const COMPLETION_OUTCOME = withSessionStatus(`
  (SELECT points FROM caller) AS total,
  EXISTS (SELECT 1 FROM missions WHERE id = ?4 AND is_active = 1) AS hasMission,
  (SELECT award.points FROM missions mission JOIN standing_acts award ON award.user_id = ?1
    AND ${missionAwardSql('mission', 'award')} WHERE mission.id = ?4) AS awarded,
  (SELECT ${missionReversedSql('mission')} FROM missions mission WHERE mission.id = ?4) AS takenBack`)

type CompletionOutcome = SessionStatusRow & {
  total: number
  hasMission: number
  awarded: number | null
  takenBack: number | null
}

/**
 * Returns the award of a completed mission. Adds it if the mission was created after the actions. Idempotent.
 * @throws AppError `not_found`, `conflict` if not completed or reversed, `signed_out`, `forbidden`.
 */
export async function completeMission(
  db: Db,
  { session, id, at }: { session: SessionPayload; id: string; at: Millis },
): Promise<MissionAward> {
  const d1 = db.$client
  const today = await artistDay(db, at)
  const [, outcomeResult] = await d1.batch([
    d1.prepare(INSERT_AWARD).bind(...callerBinds(session), at, id, today.number),
    d1.prepare(COMPLETION_OUTCOME).bind(...callerBinds(session), id),
  ])
  const outcome = requireActiveSession(outcomeResult?.results[0] as CompletionOutcome | undefined, null)
  if (!outcome.hasMission) throw new AppError('not_found', 'That mission does not exist.')
  if (outcome.awarded !== null) return { pointsAwarded: outcome.awarded, totalPoints: outcome.total }
  if (outcome.takenBack)
    throw new AppError('conflict', 'The points of this mission were taken back, so it cannot be completed again.')
  throw new AppError('conflict', 'This mission is not done yet.')
}
