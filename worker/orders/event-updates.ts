import type { Millis } from '../lib/clock'
import type { PaymentEvent } from '../payments/provider'

/** The statement that writes down what an event tells of an order: `set` and `where` are SQL, from ?4 on are `values`. */
export type OrderUpdate = { set: string; where: string; values: readonly (string | number)[] }

const ALWAYS = 'true'
/** Nothing was ever paid: what ends an attempt ends the order only then. */
const UNPAID = `status IN ('pending', 'failed') AND paid_at IS NULL`

/**
 * A buyer paid another sum than their order's, which they had changed meanwhile: nothing is kept for them any more, and
 * the money goes back. It stays said of the order, whatever comes after.
 */
export const WRONG_AMOUNT_UPDATE = ({ at, now }: { at: Millis; now: Millis }): OrderUpdate => ({
  set: `paid_at = coalesce(paid_at, ?4), intent_open = 0, status = 'expired', held = 0, holder = NULL, refund_reason = 'amount',
    refund_wanted_at = ?5, tries = 0, retry_at = 0`,
  where: `status IN ('pending', 'failed', 'expired') AND refund_wanted_at IS NULL`,
  values: [at, now],
})

/** What an event adds to what is known about an order's money; null where it adds nothing. */
export function updateForEvent(event: PaymentEvent, { at, now }: { at: Millis; now: Millis }): OrderUpdate | null {
  switch (event.kind) {
    case 'succeeded':
      return {
        set: `paid_at = coalesce(paid_at, ?4), intent_open = 0, holder = NULL,
          payment_intent_id = coalesce(payment_intent_id, ?5)`,
        where: ALWAYS,
        values: [at, event.intentId ?? ''],
      }
    // The stock goes back at once (ruling 23). The payment itself stays open: another card may be tried.
    case 'declined':
      return { set: `status = 'failed', held = 0`, where: `status = 'pending' AND ${UNPAID}`, values: [] }
    case 'canceled':
      return { set: `status = 'expired', held = 0, holder = NULL, intent_open = 0`, where: UNPAID, values: [] }
    case 'refunded':
      return {
        set: `refunded_cents = max(refunded_cents, ?4), intent_open = 0,
          refund_sent_at = iif(?4 >= amount_cents, coalesce(refund_sent_at, ?5), refund_sent_at),
          refunded_at = iif(?4 >= amount_cents, max(coalesce(refunded_at, 0), ?6), refunded_at),
          refund_refused_at = iif(?4 >= amount_cents AND ?6 > refund_refused_at, NULL, refund_refused_at)`,
        where: ALWAYS,
        values: [event.refundedCents, now, at],
      }
    // The latest of each counts: a payment can be disputed a second time.
    case 'withdrawn':
      return {
        set: `disputed_at = max(coalesce(disputed_at, 0), ?4), intent_open = 0,
          disputed_cents = iif(?4 >= coalesce(disputed_at, 0), ?5, disputed_cents)`,
        where: ALWAYS,
        values: [at, event.amountCents],
      }
    case 'reinstated':
      return { set: 'dispute_won_at = max(coalesce(dispute_won_at, 0), ?4)', where: ALWAYS, values: [at] }
    // Told of a refund that was made again since, here or by hand at the provider, it says nothing new.
    case 'refund_failed':
      return {
        set: 'refund_refused_at = ?4',
        where: 'coalesce(refund_wanted_at, 0) < ?4 + 1000 AND coalesce(refunded_at, 0) <= ?4',
        values: [at],
      }
    case 'inquiry':
      return null
  }
}
