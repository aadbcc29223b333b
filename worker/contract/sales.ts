import * as z from 'zod/mini'
import { get, managers } from './endpoint'

/** A figure of the range and of as many days before. */
const Compared = z.object({ now: z.int(), before: z.int() })
export type Compared = z.infer<typeof Compared>

/** Money is integer cents: what was paid on a day, less what was refunded on it. */
export const Sales = z.object({
  /** Its figures are partial. Days are YYYY-MM-DD in the artist's time zone. */
  today: z.string(),
  days: z.array(z.object({ day: z.string(), revenueCents: z.int(), orders: z.int(), views: z.int() })),
  /** As many days, just before. */
  before: z.array(z.object({ day: z.string(), revenueCents: z.int(), orders: z.int(), views: z.int() })),
  /** Without delivery, most revenue first. */
  products: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      revenueCents: Compared,
      units: Compared,
      /** Paid orders with the product. */
      orders: Compared,
      /** Views of its page. */
      views: Compared,
    }),
  ),
  /** By the zone of the delivery method, most revenue first. */
  zones: z.array(z.object({ name: z.string(), revenueCents: Compared, orders: Compared })),
})
export type Sales = z.infer<typeof Sales>

export const salesApi = {
  /** `?days=7`, 30 (the default) or 90; or `?from=2026-01-01&to=2026-01-31`, at most 366 days. 400 `bad_input`. */
  sales: get('/api/admin/sales', Sales, managers),
}
