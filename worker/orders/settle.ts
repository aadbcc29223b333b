// What an order comes to is a function of what is known about its money, never of the order in which it became known:
// a transition writes down one fact, and SETTLE, always the same, draws the conclusion.

/** SQL over an order's row: its money is with the bank. Told in seconds: what was won in the same one was won after. */
const DISPUTED = `(disputed_at IS NOT NULL AND disputed_at > coalesce(dispute_won_at, 0))`
/** SQL: what of its money has gone back and what is with the bank, which may be parts. */
const AMOUNT_LOST = `(refunded_cents + iif(${DISPUTED}, coalesce(disputed_cents, amount_cents), 0))`
/** SQL: its money is gone again. */
const MONEY_LOST = `(${AMOUNT_LOST} > 0 AND (${AMOUNT_LOST} >= amount_cents OR coalesce(refund_reason, '') = 'amount'))`
/** SQL: its money is ours and nothing stands against giving the goods. */
const MONEY_HELD = `(paid_at IS NOT NULL AND NOT ${MONEY_LOST} AND coalesce(refund_reason, '') NOT IN ('late', 'sold_out', 'amount'))`
/** SQL: the goods can be had: they are held, or the payment was in time and there are enough. */
const GOODS_AVAILABLE = `(held = quantity OR ((reserved_until IS NULL OR paid_at <= reserved_until)
  AND (SELECT stock FROM products WHERE products.id = orders.product_id) >= quantity))`
/** SQL: it was never ours before. */
const NEVER_PAID = `status IN ('pending', 'failed', 'expired')`
/** SQL: it was paid for, and the goods cannot be had: the money is to go back, now, however long others waited. */
const UNFULFILLABLE = `(${MONEY_HELD} AND ${NEVER_PAID} AND NOT ${GOODS_AVAILABLE})`
/** SQL: the parcel has left; what is returned to the shop is counted by hand. */
const SHIPPED = `fulfilment IN ('shipped', 'delivered')`

/**
 * Draws the conclusion: `paid` where the goods can be had; where they cannot, a refund is wanted, in the same statement:
 * `late` where the payment came after its time, `sold_out` where somebody else has the last one. Money that is away
 * makes it `refunded` and gives the goods back, unless they have left; a dispute won before we hear of the payment itself
 * leaves it `expired` until then. Binds ?1 order, ?2 event, ?3 delivery, ?4 now.
 */
export const SETTLE = `
  UPDATE orders SET
    status = CASE WHEN ${MONEY_LOST} THEN 'refunded' WHEN ${MONEY_HELD} AND (${GOODS_AVAILABLE} OR NOT ${NEVER_PAID}) THEN 'paid'
      WHEN ${MONEY_HELD} THEN 'expired' WHEN status = 'refunded' AND paid_at IS NULL THEN 'expired' ELSE status END,
    held = CASE WHEN ${MONEY_LOST} THEN iif(${SHIPPED}, held, 0) WHEN ${MONEY_HELD} AND status <> 'paid' THEN iif(${GOODS_AVAILABLE}, quantity, 0)
      ELSE held END,
    refund_reason = CASE WHEN ${UNFULFILLABLE} THEN iif(paid_at > reserved_until, 'late', 'sold_out')
      WHEN ${MONEY_LOST} THEN coalesce(refund_reason, iif(${DISPUTED}, 'disputed', 'elsewhere'))
      WHEN refund_reason = 'disputed' THEN NULL ELSE refund_reason END,
    refund_wanted_at = iif(${UNFULFILLABLE}, ?4, refund_wanted_at), tries = iif(${UNFULFILLABLE}, 0, tries),
    retry_at = iif(${UNFULFILLABLE}, 0, retry_at)
  WHERE id = ?1 AND EXISTS (SELECT 1 FROM payment_events WHERE id = ?2 AND delivery = ?3)`
