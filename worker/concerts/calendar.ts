import ical from 'ical-generator'
import { showPath } from '../contract/concerts'
import type { Millis } from '../lib/clock'
import { entryText, type ShowRow } from './concerts'

const REFRESH_INTERVAL_SECONDS = 12 * 60 * 60

/** Shows as iCalendar (RFC 5545), in UTC. A show keeps its UID, so a refetched calendar updates the event. */
export function toICalendar(
  shows: readonly ShowRow[],
  { artistName, currency, origin, at }: { artistName: string; currency: string; origin: string; at: Millis },
): string {
  const { host } = new URL(origin)
  const calendar = ical({
    name: singleLine(`${artistName}: live shows`),
    prodId: { company: host, product: 'shows', language: 'EN' },
    ttl: REFRESH_INTERVAL_SECONDS,
  })
  for (const show of shows) {
    const { id, slug, venue, address, startsAt, endsAt } = show
    calendar.createEvent({
      // The library does not escape the UID.
      id: `${encodeURIComponent(id)}@${host}`,
      stamp: new Date(at),
      start: new Date(startsAt),
      end: new Date(endsAt),
      summary: singleLine(`${artistName} at ${venue}`),
      location: singleLine(`${venue}, ${address}`),
      description: entryText(show, currency),
      url: new URL(showPath(slug), origin).href,
    })
  }
  return `${calendar.toString()}\r\n`
}

/** Replaces white space and control characters, which a TEXT value must not contain, by single spaces. */
const singleLine = (text: string) => text.replace(/[\u0000-\u001f\u007f\s]+/g, ' ').trim()
