/** Milliseconds since the epoch, UTC. */
export type Millis = number
export const SECOND: Millis = 1000
export const MINUTE: Millis = 60 * SECOND
export const HOUR: Millis = 60 * MINUTE
export const DAY: Millis = 24 * HOUR

const partsOf = new Map<string, Intl.DateTimeFormat>()

function zoned(timeZone: string): Intl.DateTimeFormat {
  let format = partsOf.get(timeZone)
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
    partsOf.set(timeZone, format)
  }
  return format
}

/** What a clock on the wall of `timeZone` (IANA) shows at an instant: `YYYY-MM-DD` and `HH:mm`. */
export function wallClock(at: Millis, timeZone: string): { date: string; time: string } {
  const part: Record<string, string> = {}
  for (const { type, value } of zoned(timeZone).formatToParts(at)) part[type] = value
  return { date: `${part.year}-${part.month}-${part.day}`, time: `${part.hour}:${part.minute}` }
}

/**
 * The instant at which a wall clock of `timeZone` shows `date` (YYYY-MM-DD) and `time` (HH:mm). A time that a
 * spring-forward skips becomes the one an hour later; one that happens twice is the first.
 */
export function instantOf(date: string, time: string, timeZone: string): Millis {
  const asUtc = Date.parse(`${date}T${time}:00Z`)
  const offsetAt = (at: Millis) => {
    const wall = wallClock(at, timeZone)
    return Date.parse(`${wall.date}T${wall.time}:00Z`) - Math.floor(at / MINUTE) * MINUTE
  }
  // The offset before and after the wanted time covers every transition there is; the larger one is the earlier instant.
  const [before, after] = [offsetAt(asUtc - DAY), offsetAt(asUtc + DAY)]
  const shows = (at: Millis) => {
    const wall = wallClock(at, timeZone)
    return wall.date === date && wall.time === time
  }
  const first = asUtc - Math.max(before, after)
  if (shows(first)) return first
  const second = asUtc - Math.min(before, after)
  return shows(second) ? second : asUtc - before
}
