import { DAY_MS, HOUR_MS, utcToZonedTime, zonedTimeToUtc } from '../../worker/lib/clock.ts'
import data from './data/shows.json' with { type: 'json' }
import { insertRows } from './insert.ts'
import { altText, imageUrl } from './media.ts'

/** `date` is fixed; `inDays` counts from the day of seeding and moves on to the next `weekday` (0 is Sunday). */
type Show = (typeof data)[number] & { date?: string; inDays?: number; weekday?: number }
const shows: readonly Show[] = data

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

/** Moves the demo's future shows on when no show is upcoming. */
export async function redateShows(db: D1Database, now: number): Promise<void> {
  if (await db.prepare('SELECT 1 FROM concerts WHERE ends_at > ?1').bind(now).first()) return
  const update = db.prepare('UPDATE concerts SET starts_at = ?2, ends_at = ?3 WHERE id = ?1')
  const future = shows.filter(({ inDays = 0 }) => inDays > 0)
  await db.batch(
    future.map((show) => {
      const { starts_at, ends_at } = showTimes(show, now)
      return update.bind(show.id, starts_at, ends_at)
    }),
  )
}

function showTimes(show: Show, now: number) {
  const startsAt = zonedTimeToUtc(show.date ?? nextWeekday(show, now), show.time, show.time_zone)
  return { starts_at: startsAt, ends_at: startsAt + 3 * HOUR_MS }
}

function nextWeekday({ inDays = 0, weekday = 0, time_zone }: Show, now: number): string {
  const noon = Date.parse(`${utcToZonedTime(now + inDays * DAY_MS, time_zone).date}T12:00:00Z`)
  const daysToWait = (weekday - new Date(noon).getUTCDay() + 7) % 7
  return new Date(noon + daysToWait * DAY_MS).toISOString().slice(0, 10)
}
