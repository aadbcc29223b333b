import { HOUR, MINUTE, type Millis } from '../lib/clock'

// Orders that wait for the provider are asked for in turns. One that it does not answer for waits longer each time, so
// that however many of those there are, the others come first.

/** How long the first wait is, and how long whoever asks keeps an order for itself. */
export const FIRST: Millis = 5 * MINUTE
const LONGEST: Millis = 6 * HOUR

/** SQL for an UPDATE: another time without an answer. ?1 is the order, ?2 now. */
export const ASK_LATER = `UPDATE orders SET retry_at = ?2 + min(${FIRST} << min(tries, 10), ${LONGEST}), tries = tries + 1
  WHERE id = ?1`
