import ical from 'ical-generator'
import { HOUR_MS, type Millis } from '../lib/clock'
import { type Show, showPath } from './concerts'

/** How long a show is in a calendar, whatever the venue's closing time (specification, section 9). */
const EVENT_DURATION_MS: Millis = 3 * HOUR_MS

/**
 * Shows as an iCalendar text (RFC 5545): times in UTC, so that it needs no zone definitions, and a show keeps its UID
 * for ever, so that a calendar that is fetched again moves the event instead of doubling it.
 */
export function toICalendar(
  shows: readonly Show[],
  { artistName, origin, at }: { artistName: string; origin: string; at: Millis },
): string {
  const { host } = new URL(origin)
  const calendar = ical({
    name: singleLine(`${artistName}: live shows`),
    prodId: { company: host, product: 'shows', language: 'EN' },
    ttl: 12 * 60 * 60,
  })
  for (const { id, venue, address, startsAt, priceCents } of shows)
    calendar.createEvent({
      // The library writes a UID as it is given: an odd id must not be able to end its line.
      id: `${encodeURIComponent(id)}@${host}`,
      // By the hour, so that a feed that has not changed is the same text, and keeps its tag, for as long.
      stamp: new Date(Math.floor(at / HOUR_MS) * HOUR_MS),
      start: new Date(startsAt),
      end: new Date(startsAt + EVENT_DURATION_MS),
      summary: singleLine(`${artistName} at ${venue}`),
      location: singleLine(`${venue}, ${address}`),
      description: priceCents === 0 ? 'Free entry.' : `Tickets at the door: $${(priceCents / 100).toFixed(2)}.`,
      url: new URL(showPath(id), origin).href,
    })
  // Every line ends in CRLF, the last one too (section 3.1).
  return `${calendar.toString()}\r\n`
}

// A line break in a venue's name would be escaped, but a name is one line; other controls have no place in a TEXT.
const singleLine = (text: string) => text.replace(/[\u0000-\u001f\u007f\s]+/g, ' ').trim()
