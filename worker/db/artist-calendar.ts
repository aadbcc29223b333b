import { DAY_MS, type Millis, utcDay, utcToZonedTime, zonedTimeToUtc } from '../lib/clock'
import type { Db } from './client'

/** A day in the artist's time zone, which daily caps and streaks follow. */
type ArtistDay = {
  /** `20260701`: suffix of ledger keys of actions that earn points once a day. */
  key: string
  /** Days since 1970-01-01. */
  number: number
  beginsAt: Millis
  endsAt: Millis
}

/** The artist's day at `at`. Reads the site's row. */
export const artistDay = async (db: Db, at: Millis): Promise<ArtistDay> => dayInZone(await artistTimeZone(db), at)

/** IANA zone of the artist's calendar. */
export async function artistTimeZone({ $client: d1 }: Db): Promise<string> {
  const site = await d1.prepare('SELECT time_zone AS zone FROM site LIMIT 1').first<{ zone: string }>()
  return site?.zone ?? 'UTC'
}

/** `artistDay` for a time zone that is known already. */
export function dayInZone(zone: string, at: Millis): ArtistDay {
  const { date } = utcToZonedTime(at, zone)
  const { beginsAt, endsAt } = boundsOfDay(date, zone)
  return { key: date.replaceAll('-', ''), number: Date.parse(date) / DAY_MS, beginsAt, endsAt }
}

/** A day (YYYY-MM-DD) in the artist's time zone. */
export type RangeDay = { day: string; beginsAt: Millis; endsAt: Millis }

/** When a day of the zone begins and ends. */
export const boundsOfDay = (day: string, zone: string): RangeDay => ({
  day,
  beginsAt: zonedTimeToUtc(day, '00:00', zone),
  endsAt: zonedTimeToUtc(utcDay(Date.parse(day) + DAY_MS), '00:00', zone),
})
