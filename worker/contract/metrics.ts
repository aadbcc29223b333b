import * as z from 'zod/mini'
import { get, managers } from './endpoint'

/** Lengths of a range that ends today in the artist's time zone. */
export const RANGE_DAYS = [7, 30, 90] as const
/** Maximum length of a range chosen by its first and last day. */
export const MAX_RANGE_DAYS = 366

export const DayMetrics = z.object({
  /** YYYY-MM-DD in the artist's time zone. */
  day: z.string(),
  /** Supporters who signed up. */
  supporters: z.int(),
  streams: z.int(),
  /** Orders paid on the day less their refunds, integer cents. */
  revenueCents: z.int(),
})
export type DayMetrics = z.infer<typeof DayMetrics>

export const Metrics = z.object({
  /** The current day, whose metrics are partial. */
  today: z.string(),
  days: z.array(DayMetrics),
  /** The same number of days, directly before. */
  before: z.array(DayMetrics),
})
export type Metrics = z.infer<typeof Metrics>

/** Documentation of endpoints whose range `readDayRange` parses. */
export const RANGE_QUERY = {
  description:
    '`?days=7`, 30 (the default) or 90; or `?from=2026-01-01&to=2026-01-31`, at most 366 days. 400 `bad_input`.',
  query: ['days', 'from', 'to'],
}

export const metricsApi = {
  metrics: get('/api/admin/metrics', Metrics, { ...managers, ...RANGE_QUERY }),
}
