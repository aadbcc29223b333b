import { DAY_MS, type Millis } from './clock'

/**
 * The instant `months` calendar months after `at`, in UTC: the same day and time of day, or that month's last day when
 * it is shorter (29 February and three years are 28 February). Negative months go back.
 */
export function addMonths(at: Millis, months: number): Millis {
  const from = new Date(at)
  const month = from.getUTCMonth() + months
  const lastDay = new Date(Date.UTC(from.getUTCFullYear(), month + 1, 0)).getUTCDate()
  const day = Math.min(from.getUTCDate(), lastDay)
  return Date.UTC(from.getUTCFullYear(), month, day) + (at - Math.floor(at / DAY_MS) * DAY_MS)
}

/**
 * No record younger than this can have reached its `months` by `at`. Records up to three days older may not have,
 * either, because short months put several days on one: query by this, then ask `monthsAfter` of each.
 */
export const dueCutoff = (at: Millis, months: number): Millis => addMonths(at, -months) + 3 * DAY_MS

/** The last day (YYYY-MM-DD, UTC) whose first instant has reached its `months` by `at`. */
export function lastDueDay(at: Millis, months: number): string {
  let day = Math.floor(dueCutoff(at, months) / DAY_MS) * DAY_MS
  while (addMonths(day, months) > at) day -= DAY_MS
  return new Date(day).toISOString().slice(0, 10)
}
