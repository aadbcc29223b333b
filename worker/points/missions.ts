import { CALLER, type Claim, callerBinds } from '../auth/sessions'
import type { Mission } from '../contract/points'
import { dayIn } from '../db/artist-calendar'
import type { Db } from '../db/client'
import { DAY, type Millis } from '../lib/clock'

type Row = {
  id: string
  title: string
  description: string
  points: number
  target: number
  isStreak: number
  completed: number
  acts: number
  lastDay: number | null
  run: number | null
}

const MINE = 's.user_id = (SELECT id FROM caller)'
/** A streak's acts, from a day before the longest run that can still be open; ?4 is now. */
const RECENT = `FROM standing_acts s WHERE ${MINE} AND s.action = m.action AND s.at > ?4 - (m.target + 2) * ${DAY}`

/**
 * SQL: the ledger's row of `row` paid the mission of `mission`. A refund can take a mission back that is earned anew: its
 * second row is `mission:<id>#2` (migration 0017), and nothing else stands between `mission:<id>` and `mission:<id>$`.
 */
export const AWARD_OF = (mission: string, row: string) =>
  `${row}.key >= 'mission:' || ${mission}.id AND ${row}.key < 'mission:' || ${mission}.id || '$'`

/**
 * The missions in their order with the caller's standing, counted as the trigger counts that pays them (migration
 * 0005): one is completed when the ledger has paid it, and what was paid once needs no more counting. Of a streak: the
 * latest day, and how many days without a gap end there.
 */
export const MISSIONS = `
  WITH ${CALLER}, mine AS (
    SELECT *, EXISTS (SELECT 1 FROM standing_acts s WHERE ${MINE} AND ${AWARD_OF('missions', 's')}) AS completed
    FROM missions WHERE is_active = 1)
  SELECT m.id, m.title, m.description, m.points, m.target, m.is_streak AS isStreak, m.completed,
    CASE WHEN NOT (m.completed OR m.is_streak) THEN (
      SELECT count(*) FROM standing_acts s WHERE ${MINE} AND s.action = m.action
      AND s.at > coalesce(?4 - m.within_days * ${DAY}, -1)) ELSE 0 END AS acts,
    CASE WHEN m.is_streak AND NOT m.completed THEN (SELECT max(s.day) ${RECENT}) END AS lastDay,
    CASE WHEN m.is_streak AND NOT m.completed THEN (
      SELECT max(s.day) - max(CASE WHEN NOT EXISTS (
        SELECT 1 FROM standing_acts b WHERE b.user_id = s.user_id AND b.action = s.action AND b.day = s.day - 1
        AND b.at > ?4 - (m.target + 3) * ${DAY}) THEN s.day END) + 1 ${RECENT}) END AS run
  FROM mine m ORDER BY m.position, m.id`

/** The missions, with how far the bearer of `claim` (null is a visitor) has come, by the ledger. One round trip. */
export async function missions(db: Db, { claim, at }: { claim: Claim | null; at: Millis }): Promise<Mission[]> {
  const d1 = db.$client
  const [rows, site] = await d1.batch([
    d1.prepare(MISSIONS).bind(...callerBinds(claim), at),
    d1.prepare('SELECT time_zone AS zone FROM site LIMIT 1'),
  ])
  const zone = (site?.results as { zone: string }[] | undefined)?.[0]?.zone ?? 'UTC'
  const today = dayIn(zone, at).number
  return ((rows?.results ?? []) as Row[]).map(({ isStreak, completed, acts, lastDay, run, ...mission }) => {
    // A run goes on until a whole day has passed without an act.
    const days = lastDay !== null && lastDay >= today - 1 ? (run ?? mission.target) : 0
    const progress = completed ? mission.target : Math.min(isStreak ? days : acts, mission.target)
    return { ...mission, progress, completed: completed === 1 }
  })
}
