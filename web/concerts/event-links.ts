import type { Concert } from '../../worker/contract/concerts'
import { CHECK_IN_POINTS, doorPrice } from './show-format'

/** A calendar event lasts three hours (specification section 9), of real time: a clock change in between moves nothing. */
const EVENT_HOURS = 3

const compactTimestamp = (at: Date) => at.toISOString().replace(/[-:]|\.\d{3}/g, '')

/**
 * The outbound calendar-event link (specification section 7): title, start, end, description, location, in the address
 * format of Google Calendar's event template. Times travel in UTC, so the viewer's calendar shows them in its own zone.
 */
export function calendarUrl(show: Concert, artist: string): string {
  const start = new Date(show.startsAt)
  const end = new Date(start.getTime() + EVENT_HOURS * 60 * 60 * 1000)
  const query = new URLSearchParams({
    action: 'TEMPLATE',
    text: artist === '' ? `Live at ${show.venue}` : `${artist} live at ${show.venue}`,
    dates: `${compactTimestamp(start)}/${compactTimestamp(end)}`,
    details: `Tickets at the door only: ${doorPrice(show.price)}. Check in at the show for ${CHECK_IN_POINTS} points.`,
    location: venueAddress(show),
  })
  return `https://calendar.google.com/calendar/render?${query}`
}

/** A maps search for the venue (specification section 7). */
export function directionsUrl(show: Concert): string {
  return `https://www.google.com/maps/search/?${new URLSearchParams({ api: '1', query: venueAddress(show) })}`
}

/** The address without repeating a city that it already names. */
export function venueAddress({ venue, address, city }: Pick<Concert, 'venue' | 'address' | 'city'>): string {
  return [venue, address, ...(address.includes(city) ? [] : [city])].filter((part) => part !== '').join(', ')
}
