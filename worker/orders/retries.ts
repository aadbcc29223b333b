import { HOUR_MS, MINUTE_MS, type Millis } from '../lib/clock'

// Orders that wait for the provider are asked for in turns. One that it does not answer for waits longer each time, so
// that however many of those there are, the others come first.

/** How long the first wait is, and how long whoever asks keeps an order for itself. */
export const FIRST_RETRY_MS: Millis = 5 * MINUTE_MS
const MAX_RETRY_MS: Millis = 6 * HOUR_MS

/** SQL for an UPDATE: another time without an answer. ?1 is the order, ?2 now. */
export const SCHEDULE_RETRY = `UPDATE orders SET retry_at = ?2 + min(${FIRST_RETRY_MS} << min(tries, 10), ${MAX_RETRY_MS}), tries = tries + 1
  WHERE id = ?1`
