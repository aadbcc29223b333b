import { sql } from 'drizzle-orm'
import type { PendingTaskSource } from '../db/pending-tasks'
import { DAY_MS, type Millis, toIso } from '../lib/clock'

const WEEK_MS: Millis = 7 * DAY_MS

type UpcomingShow = { id: string; venue: string; city: string; startsAt: Millis; timeZone: string }

const dayAndTime = ({ startsAt, timeZone }: UpcomingShow) =>
  new Date(startsAt).toLocaleString('en-US', {
    timeZone,
    weekday: 'long',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
  })

/** Shows that are on now or start within seven days, each with a link to its door page. */
export const showsThisWeek: PendingTaskSource<UpcomingShow> = {
  screen: 'door',
  query: (at) => sql`SELECT id, venue, city, starts_at AS startsAt, time_zone AS timeZone FROM concerts
    WHERE removed_at IS NULL AND ends_at > ${at} AND starts_at < ${at + WEEK_MS} ORDER BY starts_at, id`,
  toTasks: (shows, at) =>
    shows.map((show) => ({
      id: `shows.${show.id}`,
      count: 1,
      title: `${show.venue}, ${show.city}`,
      text: `${show.startsAt <= at ? 'On stage since' : 'Show on'} ${dayAndTime(show)}, local time.`,
      href: `/admin/shows/${encodeURIComponent(show.id)}/door`,
      action: 'Open the door',
      dueAt: toIso(show.startsAt),
      isUrgent: show.startsAt - at < DAY_MS,
    })),
}
