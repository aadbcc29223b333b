import { DAY_MS, MINUTE_MS, type Millis } from '../contract/zoned-time.ts'

export { DAY_MS, MINUTE_MS, type Millis, utcToZonedTime, zonedTimeToUtc } from '../contract/zoned-time.ts'

export const SECOND_MS: Millis = 1000
export const HOUR_MS: Millis = 60 * MINUTE_MS

/** ISO 8601 in UTC; null for null. */
export function toIso(at: Millis): string
export function toIso(at: Millis | null): string | null
export function toIso(at: Millis | null): string | null {
  return at === null ? null : new Date(at).toISOString()
}

/** The UTC day, YYYY-MM-DD. */
export const utcDay = (at: Millis): string => toIso(at).slice(0, 10)

/**
 * The same UTC day of month and time of day `months` later, or the last day of a month without that day. Negative
 * `months` go back.
 */
export function addMonths(at: Millis, months: number): Millis {
  const from = new Date(at)
  const month = from.getUTCMonth() + months
  const lastDay = new Date(Date.UTC(from.getUTCFullYear(), month + 1, 0)).getUTCDate()
  const day = Math.min(from.getUTCDate(), lastDay)
  return Date.UTC(from.getUTCFullYear(), month, day) + (at - Math.floor(at / DAY_MS) * DAY_MS)
}

/**
 * A record that is at least `months` old at `at` started no later than this. Months differ in length, so a record that
 * started up to three days before this may be younger: also check each one with `addMonths`.
 */
export const dueCutoff = (at: Millis, months: number): Millis => addMonths(at, -months) + 3 * DAY_MS

/** The last UTC day (YYYY-MM-DD) whose start is at least `months` ago by `at`. */
export function lastDueDay(at: Millis, months: number): string {
  let day = Math.floor(dueCutoff(at, months) / DAY_MS) * DAY_MS
  while (addMonths(day, months) > at) day -= DAY_MS
  return utcDay(day)
}
