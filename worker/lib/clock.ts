/** Milliseconds since the epoch, UTC. */
export type Millis = number
export const SECOND_MS: Millis = 1000
export const MINUTE_MS: Millis = 60 * SECOND_MS
export const HOUR_MS: Millis = 60 * MINUTE_MS
export const DAY_MS: Millis = 24 * HOUR_MS

/** ISO 8601 in UTC; null for null. */
export function toIso(at: Millis): string
export function toIso(at: Millis | null): string | null
export function toIso(at: Millis | null): string | null {
  return at === null ? null : new Date(at).toISOString()
}

const formatters = new Map<string, Intl.DateTimeFormat>()

function formatterFor(timeZone: string): Intl.DateTimeFormat {
  let format = formatters.get(timeZone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    })
    formatters.set(timeZone, format)
  }
  return format
}

/** Local date (`YYYY-MM-DD`) and time (`HH:mm`) in an IANA time zone. */
export function utcToZonedTime(at: Millis, timeZone: string): { date: string; time: string } {
  const part: Record<string, string> = {}
  for (const { type, value } of formatterFor(timeZone).formatToParts(at)) part[type] = value
  return { date: `${part.year}-${part.month}-${part.day}`, time: `${part.hour}:${part.minute}` }
}

/**
 * UTC timestamp of a local `date` (YYYY-MM-DD) and `time` (HH:mm). A time that a spring-forward skips is moved an hour
 * later; of a time that occurs twice, the first.
 */
export function zonedTimeToUtc(date: string, time: string, timeZone: string): Millis {
  const asUtc = Date.parse(`${date}T${time}:00Z`)
  const offsetAt = (at: Millis) => {
    const wall = utcToZonedTime(at, timeZone)
    return Date.parse(`${wall.date}T${wall.time}:00Z`) - Math.floor(at / MINUTE_MS) * MINUTE_MS
  }
  // The offsets a day before and after cover every transition; the larger one is the earlier timestamp.
  const [before, after] = [offsetAt(asUtc - DAY_MS), offsetAt(asUtc + DAY_MS)]
  const shows = (at: Millis) => {
    const wall = utcToZonedTime(at, timeZone)
    return wall.date === date && wall.time === time
  }
  const first = asUtc - Math.max(before, after)
  if (shows(first)) return first
  const second = asUtc - Math.min(before, after)
  return shows(second) ? second : asUtc - before
}

/**
 * The same UTC day of month and time of day `months` later, or the month's last day if that is shorter. Negative months
 * go back.
 */
export function addMonths(at: Millis, months: number): Millis {
  const from = new Date(at)
  const month = from.getUTCMonth() + months
  const lastDay = new Date(Date.UTC(from.getUTCFullYear(), month + 1, 0)).getUTCDate()
  const day = Math.min(from.getUTCDate(), lastDay)
  return Date.UTC(from.getUTCFullYear(), month, day) + (at - Math.floor(at / DAY_MS) * DAY_MS)
}

/**
 * Latest start of a record that can be `months` old by `at`. Short months make this three days too late for some: check
 * each record with `addMonths`.
 */
export const dueCutoff = (at: Millis, months: number): Millis => addMonths(at, -months) + 3 * DAY_MS

/** The last UTC day (YYYY-MM-DD) whose start is `months` ago by `at`. */
export function lastDueDay(at: Millis, months: number): string {
  let day = Math.floor(dueCutoff(at, months) / DAY_MS) * DAY_MS
  while (addMonths(day, months) > at) day -= DAY_MS
  return new Date(day).toISOString().slice(0, 10)
}
