import { DAY, instantOf, type Millis, wallClock } from '../lib/clock'

/** A day of the artist's calendar: days, streaks and daily caps follow it, not the fan's (ruling 16). */
export type ArtistDay = {
  /** `20260701`: how keys of acts that are paid once a day end. */
  key: string
  /** Days since 1970-01-01: consecutive days have consecutive numbers. */
  number: number
  beginsAt: Millis
  endsAt: Millis
}

/** The day that it is for the artist at `at`. One read of the site's row. */
export async function artistDay(d1: D1Database, at: Millis): Promise<ArtistDay> {
  const site = await d1.prepare('SELECT time_zone AS zone FROM site LIMIT 1').first<{ zone: string }>()
  return dayIn(site?.zone ?? 'UTC', at)
}

export function dayIn(zone: string, at: Millis): ArtistDay {
  const { date } = wallClock(at, zone)
  const number = Date.parse(date) / DAY
  const tomorrow = new Date((number + 1) * DAY).toISOString().slice(0, 10)
  return {
    key: date.replaceAll('-', ''),
    number,
    beginsAt: instantOf(date, '00:00', zone),
    endsAt: instantOf(tomorrow, '00:00', zone),
  }
}
