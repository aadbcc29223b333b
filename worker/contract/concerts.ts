import * as z from 'zod/mini'
import { get, post, visitor } from './endpoint'
import { href, line, timestamp, turnstileToken } from './fields'
import { formatDayInZone } from './zoned-time'

export const Concert = z.object({
  id: z.string(),
  /** Last segment of the page's URL. */
  slug: z.string(),
  /** Venue-local: YYYY-MM-DD. */
  date: z.string(),
  city: z.string(),
  venue: z.string(),
  address: z.string(),
  /** Venue-local: HH:mm. */
  startTime: z.string(),
  endTime: z.string(),
  /** IANA zone of the venue. */
  timeZone: z.string(),
  startsAt: timestamp,
  endsAt: timestamp,
  /** In the site's currency, with two decimals; '0.00' is free. */
  price: z.string(),
  /** Null if unknown. */
  ticketsAvailable: z.nullable(z.int()),
  isSoldOut: z.boolean(),
  hasVip: z.boolean(),
  imageUrl: href,
  imageAlt: z.string(),
})
export type Concert = z.infer<typeof Concert>

/** Any non-empty text from a browser prompt. */
const PromptEntry = z.strictObject({ entry: line(200, 'What you entered') })

export const concertsApi = {
  list: get('/api/concerts', z.array(Concert), visitor),
  upcoming: get('/api/concerts/upcoming', z.array(Concert), visitor),
  feed: get('/shows.ics', null, visitor),
  event: get('/api/concerts/:id/event.ics', null, visitor),
  subscribeAlert: post('/api/shows/alerts', z.extend(PromptEntry, { turnstileToken }), null, {
    ...visitor,
    status: 202,
  }),
  requestCity: post('/api/shows/city-requests', PromptEntry, null, { ...visitor, status: 202 }),
}

/** Path of a show's page. */
export const showPath = (slug: string) => `/shows/${encodeURIComponent(slug)}`

/** Title of a show's page. `startsAt` is epoch milliseconds or ISO 8601. */
export function showTitle({
  venue,
  city,
  startsAt,
  timeZone,
}: Record<'venue' | 'city' | 'timeZone', string> & { startsAt: number | string }): string {
  return `${venue}, ${city}, ${formatDayInZone(startsAt, timeZone)}`
}
