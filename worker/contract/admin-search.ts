import * as z from 'zod/mini'
import { get, team } from './endpoint'
import { TIERS } from './site'

/** Shorter texts find nothing. */
export const MIN_SEARCH_LENGTH = 2

export const SEARCH_KINDS = ['supporter', 'order', 'track', 'show', 'product'] as const

export const SearchHit = z.object({
  kind: z.enum(SEARCH_KINDS),
  id: z.string(),
  title: z.string(),
  /** Distinguishes hits of the same title: a masked email, a date, a price. */
  detail: z.string(),
  /** Of a supporter. */
  tier: z.optional(z.enum(TIERS)),
  points: z.optional(z.int()),
  /** Path in the dashboard. */
  href: z.string(),
})
export type SearchHit = z.infer<typeof SearchHit>

export const adminSearchApi = {
  search: get('/api/admin/search', z.array(SearchHit), {
    ...team,
    description:
      "At most five of each kind on the screens of the caller's role; `?q=` is part of a name. Emails are masked.",
    query: ['q'],
  }),
}
