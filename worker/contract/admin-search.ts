import * as z from 'zod/mini'
import { get, team } from './endpoint'
import { TIERS } from './site'

/** Shorter queries return no hits. */
export const MIN_SEARCH_LENGTH = 2

export const SEARCH_KINDS = ['supporter', 'order', 'track', 'show', 'product'] as const

export const SearchHit = z.object({
  kind: z.enum(SEARCH_KINDS),
  id: z.string(),
  title: z.string(),
  /** Distinguishes hits of the same title: a masked email, a date, a price. */
  detail: z.string(),
  /** Only for supporters. */
  tier: z.optional(z.enum(TIERS)),
  /** Only for supporters. */
  points: z.optional(z.int()),
  /** Path in the dashboard. */
  href: z.string(),
})
export type SearchHit = z.infer<typeof SearchHit>

export const adminSearchApi = {
  search: get('/api/admin/search', z.array(SearchHit), {
    ...team,
    description:
      "Returns at most five hits of each kind whose admin screen the caller's role can open. `q` matches any part of a name, or of an order's id, or a whole email address. Emails are masked.",
    query: ['q'],
  }),
}
