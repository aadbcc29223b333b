import type { Millis } from '../lib/clock'
import type { PaymentEvent } from '../payments/provider'

/** The statement that writes down what an event tells of an order: `set` and `where` are SQL, from ?4 on are `values`. */
export type Fact = { set: string; where: string; values: readonly (string | number)[] }

const ALWAYS = 'true'
/** Nothing was ever paid: what ends an attempt ends the order only then. */
const UNPAID = `status IN ('pending', 'failed') AND paid_at IS NULL`

/** What an event adds to what is known about an order's money; null where it adds nothing. */
export function factOf(event: PaymentEvent, { at, now }: { at: Millis; now: Millis }): Fact | null {
  switch (event.kind) {
    case 'succeeded':
      return {
        set: 'paid_at = coalesce(paid_at, ?4), intent_open = 0, payment_intent_id = coalesce(payment_intent_id, ?5)',
        where: ALWAYS,
        values: [at, event.intentId ?? ''],
      }
    // The stock goes back at once (ruling 23). The payment itself stays open: another card may be tried.
    case 'declined':
      return { set: `status = 'failed', held = 0`, where: `status = 'pending' AND ${UNPAID}`, values: [] }
    case 'canceled':
      return { set: `status = 'expired', held = 0, intent_open = 0`, where: UNPAID, values: [] }
    case 'refunded':
      return {
        set: `refunded_cents = max(refunded_cents, ?4), intent_open = 0,
          refund_sent_at = iif(?4 >= amount_cents, coalesce(refund_sent_at, ?5), refund_sent_at)`,
        where: ALWAYS,
        values: [event.refundedCents, now],
      }
    case 'disputed':
      return { set: 'disputed_at = coalesce(disputed_at, ?4), intent_open = 0', where: ALWAYS, values: [at] }
    case 'dispute_closed':
      return event.won
        ? { set: 'dispute_won_at = coalesce(dispute_won_at, ?4)', where: ALWAYS, values: [at] }
        : { set: 'disputed_at = coalesce(disputed_at, ?4)', where: ALWAYS, values: [at] }
    case 'refund_failed':
      return null
  }
}
