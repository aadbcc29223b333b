import * as z from 'zod/mini'
import { administrator, get } from './endpoint'
import { timestamp } from './text'

/** An address of the newsletter as the desk lists it, masked (ruling 8). */
export const AdminSubscriber = z.object({
  id: z.string(),
  email: z.string(),
  state: z.enum(['pending', 'confirmed', 'unsubscribed']),
  /** Empty where the reader has not said. */
  city: z.string(),
  joinedAt: timestamp,
})
export type AdminSubscriber = z.infer<typeof AdminSubscriber>

/** How many people have asked for a show in a city. */
export const CityRequestCount = z.object({ city: z.string(), people: z.int() })
export type CityRequestCount = z.infer<typeof CityRequestCount>

/** A poll as the desk sees it: with its counts, also while it takes votes. */
export const AdminPoll = z.object({
  id: z.string(),
  title: z.string(),
  description: z.string(),
  options: z.array(z.string()),
  /** The artist's: its words can be changed at the desk. */
  official: z.boolean(),
  /** Who made it; empty for one that nobody's account made. */
  by: z.string(),
  votes: z.int(),
  state: z.enum(['open', 'closed', 'hidden']),
  createdAt: timestamp,
  endDate: timestamp,
  /** The last day that it is open, on the artist's calendar. */
  lastDay: z.string(),
})
export type AdminPoll = z.infer<typeof AdminPoll>

/** What the polls can be sorted by, `?sort=ends` or `?sort=-ends`. */
export const POLL_COLUMNS = ['title', 'ends'] as const
export type PollColumn = (typeof POLL_COLUMNS)[number]

export const adminListsApi = {
  /** Newest first, 50 a page; `?q=` finds addresses by how they begin. */
  newsletter: get('/api/admin/newsletter', z.array(AdminSubscriber), administrator),
  /** Most wanted first, 50 a page; `?q=` finds cities by any part of their names. */
  cityDemand: get('/api/admin/city-demand', z.array(CityRequestCount), administrator),
  /**
   * Newest first or by `?sort=`, 50 a page; `?q=` finds polls by any three letters of their titles, fewer by how a title
   * begins. 400 `bad_input` for another order.
   */
  polls: get('/api/admin/polls', z.array(AdminPoll), administrator),
}
