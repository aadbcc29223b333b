import { CALLER_CTE, callerBinds, type SessionPayload } from '../auth/sessions'
import type { Mission } from '../contract/points'
import { calendarDay } from '../db/artist-calendar'
import type { Db } from '../db/client'
import { DAY_MS, type Millis } from '../lib/clock'

type Row = {
  id: string
  title: string
  description: string
  points: number
  target: number
  isStreak: number
  completed: number
  takenBack: number
  acts: number
  lastDay: number | null
  run: number | null
}

const CALLERS_ACT = 's.user_id = (SELECT id FROM caller)'
/** A streak's acts, from a day before the longest run that can still be open; ?4 is now. */
const RECENT_ACTS = `FROM standing_acts s WHERE ${CALLERS_ACT} AND s.action = m.action AND s.at > ?4 - (m.target + 2) * ${DAY_MS}`

/**
 * SQL: the ledger's row of `row` paid the mission of `mission`. A refund can take a mission back that is earned anew: its
 * second row is `mission:<id>#2` (migration 0017), and nothing else stands between `mission:<id>` and `mission:<id>$`.
 */
export const missionAwardSql = (mission: string, row: string) =>
  `${row}.key >= 'mission:' || ${mission}.id AND ${row}.key < 'mission:' || ${mission}.id || '$'`

/**
 * SQL: the mission of `mission` was paid to the caller and a person took that back, which a refund never does: it is
 * not earned anew (migration 0017).
 */
export const missionReversedSql = (mission: string) => `EXISTS (
  SELECT 1 FROM ledger l JOIN ledger u ON u.user_id = l.user_id AND u.key = 'undo:' || l.key AND u.action <> 'merch_refund'
  WHERE l.user_id = (SELECT id FROM caller) AND ${missionAwardSql(mission, 'l')})`

/**
 * CTEs: the caller, and in `progress` the active missions with the caller's standing, counted as the trigger counts
 * that pays them (migration 0005): one is completed when the ledger has paid it, and what was paid once needs no more
 * counting. Of a streak: the latest day, and how many days without a gap end there. ?4 is now.
 */
export const MISSION_PROGRESS_CTES = `
  ${CALLER_CTE}, mine AS (
    SELECT *, EXISTS (SELECT 1 FROM standing_acts s WHERE ${CALLERS_ACT} AND ${missionAwardSql('missions', 's')}) AS completed,
      ${missionReversedSql('missions')} AS takenBack
    FROM missions WHERE is_active = 1),
  progress AS (
  SELECT m.id, m.title, m.description, m.points, m.target, m.position, m.is_streak AS isStreak, m.completed, m.takenBack,
    CASE WHEN NOT (m.completed OR m.is_streak) THEN (
      SELECT count(*) FROM standing_acts s WHERE ${CALLERS_ACT} AND s.action = m.action
      AND s.at > coalesce(?4 - m.within_days * ${DAY_MS}, -1)) ELSE 0 END AS acts,
    CASE WHEN m.is_streak AND NOT m.completed THEN (SELECT max(s.day) ${RECENT_ACTS}) END AS lastDay,
    CASE WHEN m.is_streak AND NOT m.completed THEN (
      SELECT max(s.day) - max(CASE WHEN NOT EXISTS (
        SELECT 1 FROM standing_acts b WHERE b.user_id = s.user_id AND b.action = s.action AND b.day = s.day - 1
        AND b.at > ?4 - (m.target + 3) * ${DAY_MS}) THEN s.day END) + 1 ${RECENT_ACTS}) END AS run
  FROM mine m)`

export const SELECT_MISSIONS = `
  WITH ${MISSION_PROGRESS_CTES} SELECT id, title, description, points, target, isStreak, completed, takenBack, acts, lastDay, run
  FROM progress ORDER BY position, id`

/** The missions, with how far the bearer of `session` (null is a visitor) has come, by the ledger. One round trip. */
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
  return ((rows?.results ?? []) as Row[]).map(({ isStreak, completed, takenBack, acts, lastDay, run, ...mission }) => {
    // A run goes on until a whole day has passed without an act.
    const days = lastDay !== null && lastDay >= today - 1 ? (run ?? mission.target) : 0
    const progress = completed ? mission.target : Math.min(isStreak ? days : acts, mission.target)
    return { ...mission, progress, completed: completed === 1, takenBack: !completed && takenBack === 1 }
  })
}
