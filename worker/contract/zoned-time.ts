/** Milliseconds: a time since the epoch (UTC), or a duration. */
export type Millis = number
export const MINUTE_MS: Millis = 60_000
export const DAY_MS: Millis = 24 * 60 * MINUTE_MS

const formatters = new Map<string, Intl.DateTimeFormat>()

function formatterFor(timeZone: string): Intl.DateTimeFormat {
  let formatter = formatters.get(timeZone)
  if (!formatter) {
    formatter = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    })
    formatters.set(timeZone, formatter)
  }
  return formatter
}

/** Local date (`YYYY-MM-DD`) and time (`HH:mm`) in an IANA time zone. */
export function utcToZonedTime(at: Millis, timeZone: string): { date: string; time: string } {
  const part: Record<string, string> = {}
  for (const { type, value } of formatterFor(timeZone).formatToParts(at)) part[type] = value
  return { date: `${part.year}-${part.month}-${part.day}`, time: `${part.hour}:${part.minute}` }
}

/**
 * UTC timestamp of a local `date` (YYYY-MM-DD) and `time` (HH:mm). A time that a clock change skips is moved later by
 * the length of the change. If a time occurs twice, the first is returned.
 */
export function zonedTimeToUtc(date: string, time: string, timeZone: string): Millis {
  const asUtc = Date.parse(`${date}T${time}:00Z`)
  const offsetAt = (at: Millis) => {
    const local = utcToZonedTime(at, timeZone)
    return Date.parse(`${local.date}T${local.time}:00Z`) - Math.floor(at / MINUTE_MS) * MINUTE_MS
  }
  // The offsets a day before and after cover every clock change; the larger offset gives the earlier timestamp.
  const before = offsetAt(asUtc - DAY_MS)
  const after = offsetAt(asUtc + DAY_MS)
  const isRequestedTime = (at: Millis) => {
    const local = utcToZonedTime(at, timeZone)
    return local.date === date && local.time === time
  }
  const earlier = asUtc - Math.max(before, after)
  if (isRequestedTime(earlier)) return earlier
  const later = asUtc - Math.min(before, after)
  return isRequestedTime(later) ? later : asUtc - before
}

/** 'November 20, 2026' on the calendar of a time zone, so that server and browser agree. */
export const formatDayInZone = (at: Millis | string, timeZone: string): string =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone }).format(new Date(at))

/** '12:00 AM EST', with plain spaces: some engines put a narrow no-break space before AM. */
export const formatTimeInZone = (timestamp: string, timeZone: string): string =>
  new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit', timeZoneName: 'short', timeZone })
    .format(new Date(timestamp))
    .replace(/\s/g, ' ')
