import { DAY_MS, HOUR_MS, utcDay, utcToZonedTime, zonedTimeToUtc } from '../../worker/lib/clock.ts'
import { insertRows } from '../tools/sql.ts'
import showData from './data/shows.json' with { type: 'json' }
import { altText, imageUrl } from './media.ts'

/**
 * A show on `date`, or on the first `weekday` (0 is Sunday) from `inDays` days after now. `inDays` is negative for past
 * shows.
 */
type Show = (typeof showData)[number] & { date?: string; inDays?: number; weekday?: number }
const SHOW_DURATION_MS = 3 * HOUR_MS
const shows: readonly Show[] = showData

export async function seedShows(db: D1Database, now: number): Promise<void> {
  await insertRows(
    db,
    'concerts',
    shows.map((show) => {
      const { date, inDays, weekday, time, image, ...columns } = show
      return { ...columns, ...showTimes(show, now), image_url: imageUrl(image), image_alt: altText(image) }
    }),
  )
}

/** When all shows are over, gives those that were seeded as upcoming new dates after `now`. */
export async function rescheduleShows(db: D1Database, now: number): Promise<void> {
  if (await db.prepare('SELECT 1 FROM concerts WHERE ends_at > ?1').bind(now).first()) return
  const update = db.prepare('UPDATE concerts SET starts_at = ?2, ends_at = ?3 WHERE id = ?1')
  const seededAsUpcoming = shows.filter(({ inDays = 0 }) => inDays > 0)
  await db.batch(
    seededAsUpcoming.map((show) => {
      const { starts_at, ends_at } = showTimes(show, now)
      return update.bind(show.id, starts_at, ends_at)
    }),
  )
}

/** Starts of the shows before `now`, latest first. */
export const pastShowStarts = (now: number): number[] =>
  shows
    .map((show) => showTimes(show, now).starts_at)
    .filter((at) => at < now)
    .sort((a, b) => b - a)

function showTimes(show: Show, now: number) {
  const startsAt = zonedTimeToUtc(show.date ?? nextWeekday(show, now), show.time, show.time_zone)
  return { starts_at: startsAt, ends_at: startsAt + SHOW_DURATION_MS }
}

function nextWeekday({ inDays = 0, weekday = 0, time_zone }: Show, now: number): string {
  const noon = Date.parse(`${utcToZonedTime(now + inDays * DAY_MS, time_zone).date}T12:00:00Z`)
  const daysUntilWeekday = (weekday - new Date(noon).getUTCDay() + 7) % 7
  return utcDay(noon + daysUntilWeekday * DAY_MS)
}
