import * as z from 'zod/mini'
import { get, post } from './endpoint'
import { href, line, timestamp } from './text'

export const Concert = z.object({
  id: z.string(),
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
  /** A dollar string; '0.00' is free. */
  price: z.string(),
  /** Null when the number is not known. */
  ticketsAvailable: z.nullable(z.int()),
  isSoldOut: z.boolean(),
  hasVip: z.boolean(),
  imageUrl: href,
  imageAlt: z.string(),
})
export type Concert = z.infer<typeof Concert>

/** What a visitor typed into a browser prompt: any non-empty text (specification section 5). */
export const PromptEntry = z.strictObject({ entry: line(200, 'What you entered') })

export const concertsApi = {
  list: get('/api/concerts', z.array(Concert)),
  upcoming: get('/api/concerts/upcoming', z.array(Concert)),
  feed: get('/shows.ics', null),
  event: get('/api/concerts/:id/event.ics', null),
  subscribeAlert: post('/api/shows/alerts', PromptEntry, null),
  requestCity: post('/api/shows/city-requests', PromptEntry, null),
}
