import * as z from 'zod/mini'
import { get } from './endpoint'
import { href } from './text'

/** What came in the last 30 days, and in the 30 before them. */
const periodChange = z.object({ last30: z.int(), before30: z.int() })

/** The desk's figures, each computed from the rows at the moment of asking (ruling 3). */
export const Overview = z.object({
  /** Accounts of supporters, without administrators, demo log-ins and erased ones. */
  supporters: z.int(),
  /** Plays of all tracks. */
  streams: z.int(),
  /** Paid orders, integer cents. */
  revenueCents: z.int(),
  /** Supporters now against 30 days ago, in per cent with one decimal; null when there were none then. */
  growthPercent: z.nullable(z.number()),
  /** In whole per cent, adding up to 100; all 0 without supporters. */
  tiers: z.object({ bronze: z.int(), silver: z.int(), gold: z.int() }),
  changes: z.object({ supporters: periodChange, streams: periodChange, revenueCents: periodChange }),
  /** The last 30 days (UTC), today included: supporters at its end, plays and paid cents of the day. */
  trend: z.array(z.object({ day: z.string(), supporters: z.int(), streams: z.int(), revenueCents: z.int() })),
  /** Where people want a show, most wanted first; at most ten. */
  cities: z.array(z.object({ city: z.string(), people: z.int() })),
  /** At most five, most played first. */
  topTracks: z.array(
    z.object({ id: z.int(), title: z.string(), artist: z.string(), plays: z.int(), likes: z.int(), coverUrl: href }),
  ),
})
export type Overview = z.infer<typeof Overview>

export const adminOverviewApi = {
  overview: get('/api/admin/overview', Overview, { role: 'administrator' }),
}
