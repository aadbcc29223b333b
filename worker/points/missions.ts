import { CALLER, type Claim, callerBinds } from '../auth/sessions'
import type { Mission } from '../contract/points'
import type { Db } from '../db/client'
import { DAY, type Millis, wallClock } from '../lib/clock'

type Row = {
  id: string
  title: string
  description: string
  points: number
  action: string
  target: number
  withinDays: number | null
  isStreak: number
}
type Act = { action: string; points: number; at: Millis }

export const MISSIONS = `
  SELECT id, title, description, points, action, target, within_days AS withinDays, is_streak AS isStreak
  FROM missions WHERE is_active = 1 ORDER BY position, id`

/**
 * The caller's ledger rows that any mission counts, oldest first. The plus keeps the planner from reading a long
 * history in order when a few actions of it are wanted.
 */
export const ACTS = `
  WITH ${CALLER} SELECT action, points, created_at AS at FROM ledger
  WHERE user_id = (SELECT id FROM caller) AND action IN (SELECT action FROM missions WHERE is_active = 1)
  ORDER BY +created_at, id`

/** The missions in their order, with how far the bearer of `claim` (null is a visitor) has come, by the ledger. */
export async function missions(db: Db, { claim, at }: { claim: Claim | null; at: Millis }): Promise<Mission[]> {
  const d1 = db.$client
  const [rows, acts, zone] = await d1.batch([
    d1.prepare(MISSIONS),
    d1.prepare(ACTS).bind(...callerBinds(claim)),
    d1.prepare('SELECT time_zone AS timeZone FROM site LIMIT 1'),
  ])
  const done = (acts?.results ?? []) as Act[]
  const timeZone = (zone?.results as { timeZone: string }[] | undefined)?.[0]?.timeZone ?? 'UTC'
  return ((rows?.results ?? []) as Row[]).map(({ action, withinDays, isStreak, ...mission }) => {
    const { target } = mission
    const times = standing(done.filter((act) => act.action === action))
    const run = isStreak
      ? streak(times, at, timeZone)
      : withinDays === null
        ? { best: times.length, now: times.length }
        : within(times, withinDays * DAY, at)
    // What was fulfilled once stays fulfilled, when its days are long over, too.
    const completed = run.best >= target
    return { ...mission, progress: completed ? target : Math.min(run.now, target), completed }
  })
}

/** When the acts were done that still stand: a reversing row takes the latest one before it away. */
function standing(acts: readonly Act[]): Millis[] {
  const times: Millis[] = []
  for (const { points, at } of acts) {
    if (points < 0) times.pop()
    else times.push(at)
  }
  return times
}

/** The most acts that ever fell within `span`, and how many do so now. */
function within(times: readonly Millis[], span: Millis, at: Millis) {
  let [best, first] = [0, 0]
  times.forEach((time, last) => {
    while (time - times[first]! >= span) first += 1
    best = Math.max(best, last - first + 1)
  })
  return { best, now: times.filter((time) => time > at - span).length }
}

/** The longest run of days on the artist's calendar, and the one that today or yesterday belongs to. */
function streak(times: readonly Millis[], at: Millis, timeZone: string) {
  const dayOf = (time: Millis) => Date.parse(wallClock(time, timeZone).date) / DAY
  let [best, length, latest] = [0, 0, Number.NaN]
  for (const day of new Set(times.map(dayOf))) {
    length = day === latest + 1 ? length + 1 : 1
    latest = day
    best = Math.max(best, length)
  }
  return { best, now: dayOf(at) - latest <= 1 ? length : 0 }
}
