import * as z from 'zod/mini'
import { get, managers } from './endpoint'
import { RANGE_QUERY } from './metrics'

/** A metric of the range, and of the same number of days before it. */
const ComparedMetric = z.object({ now: z.int(), before: z.int() })
export type ComparedMetric = z.infer<typeof ComparedMetric>

const DaySales = z.object({ day: z.string(), revenueCents: z.int(), orders: z.int(), views: z.int() })

/** Money is integer cents: what was paid on a day, less what was refunded or lost in disputes on it. */
export const Sales = z.object({
  /** The current day, whose metrics are partial. Days are YYYY-MM-DD in the artist's time zone. */
  today: z.string(),
  days: z.array(DaySales),
  /** The same number of days, directly before. */
  before: z.array(DaySales),
  /** Highest revenue first; revenue excludes shipping. A disputed amount is split by the lines' amounts. */
  products: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      revenueCents: ComparedMetric,
      units: ComparedMetric,
      /** Paid orders with the product. */
      orders: ComparedMetric,
      /** Views of its page. */
      views: ComparedMetric,
    }),
  ),
  /** Per shipping zone, with entries for pick-up and for no delivery; highest revenue first. */
  zones: z.array(z.object({ name: z.string(), revenueCents: ComparedMetric, orders: ComparedMetric })),
})
export type Sales = z.infer<typeof Sales>

export const salesApi = {
  sales: get('/api/admin/sales', Sales, { ...managers, ...RANGE_QUERY }),
}
