/** Milliseconds since the epoch, UTC. */
export type Millis = number
const MINUTE_MS: Millis = 60_000
const DAY_MS: Millis = 24 * 60 * MINUTE_MS

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
 * UTC timestamp of a local `date` (YYYY-MM-DD) and `time` (HH:mm). A time that a clock change skips is moved later by
 * the skipped time; of a time that occurs twice, the first.
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

/** 'November 20, 2026' on the calendar of a time zone, so that server and browser agree. */
export const formatDayInZone = (at: Millis | string, timeZone: string): string =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone }).format(new Date(at))
