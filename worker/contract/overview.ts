import * as z from 'zod/mini'
import { get } from './endpoint'
import { href } from './text'

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
  /** At most five, most played first. */
  topTracks: z.array(
    z.object({ id: z.int(), title: z.string(), artist: z.string(), plays: z.int(), likes: z.int(), coverUrl: href }),
  ),
})
export type Overview = z.infer<typeof Overview>

export const overviewApi = {
  overview: get('/api/admin/overview', Overview, { who: 'administrator' }),
}
