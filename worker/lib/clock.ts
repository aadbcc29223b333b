/** Milliseconds since the epoch, UTC. */
export type Millis = number
export const SECOND_MS: Millis = 1000
export const MINUTE_MS: Millis = 60 * SECOND_MS
export const HOUR_MS: Millis = 60 * MINUTE_MS
export const DAY_MS: Millis = 24 * HOUR_MS

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

/** What a clock on the wall of `timeZone` (IANA) shows at an instant: `YYYY-MM-DD` and `HH:mm`. */
export function utcToZonedTime(at: Millis, timeZone: string): { date: string; time: string } {
  const part: Record<string, string> = {}
  for (const { type, value } of formatterFor(timeZone).formatToParts(at)) part[type] = value
  return { date: `${part.year}-${part.month}-${part.day}`, time: `${part.hour}:${part.minute}` }
}

/**
 * The instant at which a wall clock of `timeZone` shows `date` (YYYY-MM-DD) and `time` (HH:mm). A time that a
 * spring-forward skips becomes the one an hour later; one that happens twice is the first.
 */
export function zonedTimeToUtc(date: string, time: string, timeZone: string): Millis {
  const asUtc = Date.parse(`${date}T${time}:00Z`)
  const offsetAt = (at: Millis) => {
    const wall = utcToZonedTime(at, timeZone)
    return Date.parse(`${wall.date}T${wall.time}:00Z`) - Math.floor(at / MINUTE_MS) * MINUTE_MS
  }
  // The offset before and after the wanted time covers every transition there is; the larger one is the earlier instant.
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
