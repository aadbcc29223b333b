import { MAX_RANGE_DAYS, RANGE_DAYS } from '../contract/metrics'
import { AppError } from '../lib/app-error'
import { DAY_MS, type Millis, utcDay, utcToZonedTime } from '../lib/clock'
import { artistTimeZone, boundsOfDay, type RangeDay } from './artist-calendar'
import type { Db } from './client'

// All metrics and filters use days in the artist's time zone, which have 23 or 25 hours when the clock changes. Counts
// that are stored by day are not recounted when the artist changes the time zone.

/** Days in the artist's time zone. `before` holds the same number of days, directly before them. */
export type DayRange = { today: string; days: readonly RangeDay[]; before: readonly RangeDay[] }

type DayRangeQuery = { days?: string; from?: string; to?: string }

/** Parses the range of a query string: `?days=30`, or `?from=&to=`. @throws AppError `bad_input`. */
export const readDayRange = async (db: Db, query: DayRangeQuery, at: Millis): Promise<DayRange> =>
  dayRange(query, await artistTimeZone(db), at)

/** `readDayRange` for a time zone that is known already. @throws AppError `bad_input`. */
export function dayRange({ days, from, to }: DayRangeQuery, zone: string, at: Millis): DayRange {
  const today = utcToZonedTime(at, zone).date
  const [first, last] =
    from === undefined && to === undefined ? presetRange(days ?? '30', today) : customRange(from, to, today)
  const length = last - first + 1
  const rangeDays = (start: number) => Array.from({ length }, (_, i) => boundsOfDay(dayFromNumber(start + i), zone))
  return { today, days: rangeDays(first), before: rangeDays(first - length) }
}

const dayNumberOf = (day: string) => Date.parse(day) / DAY_MS
const dayFromNumber = (dayNumber: number) => utcDay(dayNumber * DAY_MS)

function presetRange(days: string, today: string): [number, number] {
  const length = RANGE_DAYS.find((preset) => String(preset) === days)
  if (length === undefined) throw new AppError('bad_input', 'Please choose 7, 30 or 90 days.')
  return [dayNumberOf(today) - length + 1, dayNumberOf(today)]
}

/** Whether the text is an existing day, like `2026-07-04`. */
export const isDay = (day: string | undefined): day is string =>
  day !== undefined &&
  /^\d{4}-\d{2}-\d{2}$/.test(day) &&
  Number.isFinite(Date.parse(day)) &&
  dayFromNumber(dayNumberOf(day)) === day

function customRange(from: string | undefined, to: string | undefined, today: string): [number, number] {
  if (!(isDay(from) && isDay(to))) throw new AppError('bad_input', 'Please choose a first and a last day.')
  if (to < from) throw new AppError('bad_input', 'The last day is before the first. Swap them.')
  if (to > today) throw new AppError('bad_input', 'Please choose a last day that is not after today.')
  if (dayNumberOf(to) - dayNumberOf(from) >= MAX_RANGE_DAYS)
    throw new AppError('bad_input', `Please choose at most ${MAX_RANGE_DAYS} days.`)
  return [dayNumberOf(from), dayNumberOf(to)]
}
