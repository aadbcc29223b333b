import { POINTS } from '../contract/points'
import type { Millis } from '../lib/clock'
import type { PaymentEvent } from '../payments/provider'
import { inStockSql } from './order-lines'
import { CLEAR_RESERVATION_HOLDER, UNFULFILLABLE_REASONS_SQL } from './orders'

// An order's status depends only on its payment events, not on their sequence: `updateForEvent` stores an event in
// columns of the order, then SETTLE_ORDER computes the status from them. Raw SQL: both run in one batch per event.

/** `set` and `where` of an UPDATE; their parameters start at ?4. */
type OrderUpdate = { set: string; where: string; values: readonly (string | number | null)[] }

const ALWAYS = 'true'
const AWAITING_PAYMENT = `status IN ('pending', 'failed') AND paid_at IS NULL`

/** The amount paid is not the total, or the total was not final: the order ends and the payment is refunded. */
export const wrongAmountUpdate = ({ at, now }: { at: Millis; now: Millis }): OrderUpdate => ({
  set: `paid_at = coalesce(paid_at, ?4), intent_open = 0, status = 'expired', held = 0, ${CLEAR_RESERVATION_HOLDER}, refund_reason = 'amount',
    refund_wanted_at = ?5, tries = 0, retry_at = 0`,
  where: `status IN ('pending', 'failed', 'expired') AND refund_wanted_at IS NULL`,
  values: [at, now],
})

/** The columns that an event sets. `at` is the time of the event. */
export function updateForEvent(event: PaymentEvent, { at, now }: { at: Millis; now: Millis }): OrderUpdate {
  switch (event.kind) {
    case 'succeeded':
      return {
        set: `paid_at = coalesce(paid_at, ?4), intent_open = 0, ${CLEAR_RESERVATION_HOLDER},
          payment_intent_id = coalesce(payment_intent_id, ?5)`,
        where: ALWAYS,
        values: [at, event.intentId ?? ''],
      }
    // The stock is released. The intent stays open: the buyer may try another card.
    case 'declined':
      return { set: `status = 'failed', held = 0`, where: `status = 'pending' AND ${AWAITING_PAYMENT}`, values: [] }
    case 'canceled':
      return {
        set: `status = 'expired', held = 0, ${CLEAR_RESERVATION_HOLDER}, intent_open = 0`,
        where: AWAITING_PAYMENT,
        values: [],
      }
    case 'refunded':
      return {
        // A sum reported after a failed refund excludes that refund.
        set: `refunded_cents = max(refunded_cents, ?4), intent_open = 0,
          failed_refund_cents = iif(?6 > refund_failed_at,
            max(0, max(refunded_cents, ?4) - max(refunded_cents - failed_refund_cents, ?4)), failed_refund_cents),
          refund_sent_at = iif(?4 >= amount_cents, coalesce(refund_sent_at, ?5), refund_sent_at),
          refunded_at = iif(?4 >= amount_cents, max(coalesce(refunded_at, 0), ?6), refunded_at),
          refund_refused_at = iif(?4 >= amount_cents AND ?6 > refund_refused_at, NULL, refund_refused_at)`,
        where: ALWAYS,
        values: [event.refundedCents, now, at],
      }
    // The latest dispute counts: a payment can be disputed twice.
    case 'withdrawn':
      return {
        set: `disputed_at = max(coalesce(disputed_at, 0), ?4), intent_open = 0,
          disputed_cents = iif(?4 >= coalesce(disputed_at, 0), ?5, disputed_cents)`,
        where: ALWAYS,
        values: [at, event.amountCents],
      }
    case 'reinstated':
      return { set: 'dispute_won_at = max(coalesce(dispute_won_at, 0), ?4)', where: ALWAYS, values: [at] }
    // Ignored if the refund was repeated after this failure. The lines of a paid order can be refunded again.
    case 'refund_failed':
      return {
        set: `failed_refund_cents = failed_refund_cents + iif(EXISTS (
            SELECT 1 FROM order_refunds refund WHERE refund.id = ?6 AND refund.refused_at IS NOT NULL), 0, ?5),
          refund_failed_at = max(coalesce(refund_failed_at, 0), ?4),
          refund_refused_at = iif(status = 'paid' AND refund_wanted_at IS NULL
            AND EXISTS (SELECT 1 FROM order_refunds refund WHERE refund.id = ?6 AND refund.order_id = orders.id), refund_refused_at, ?4)`,
        where: 'coalesce(refund_wanted_at, 0) < ?4 + 1000 AND coalesce(refunded_at, 0) <= ?4',
        values: [at, event.amountCents, event.refundId],
      }
    // Opening a dispute moves no money. The order shows it and cannot be shipped while it is open.
    case 'dispute_opened':
      return {
        set: `dispute_opened_at = max(coalesce(dispute_opened_at, 0), ?4),
          dispute_respond_by = iif(?4 >= coalesce(dispute_opened_at, 0), ?5, dispute_respond_by)`,
        where: ALWAYS,
        values: [at, event.respondBy],
      }
    case 'dispute_closed':
      return { set: 'dispute_closed_at = max(coalesce(dispute_closed_at, 0), ?4)', where: ALWAYS, values: [at] }
  }
}

/** SQL: a dispute took the money. Event times are whole seconds; a win in the same second came after the dispute. */
const DISPUTED = `(disputed_at IS NOT NULL AND disputed_at > coalesce(dispute_won_at, 0))`
/** SQL: cents refunded or withdrawn by a dispute. */
const AMOUNT_LOST = `(refunded_cents + iif(${DISPUTED}, coalesce(disputed_cents, amount_cents), 0))`
/** SQL: nothing of the payment is left. With `amount` any refund suffices: what was paid is not `amount_cents`. */
const MONEY_LOST = `(${AMOUNT_LOST} > 0 AND (${AMOUNT_LOST} >= amount_cents OR coalesce(refund_reason, '') = 'amount'))`
/** SQL: paid, and neither lost nor to be refunded. */
const PAYMENT_VALID = `(paid_at IS NOT NULL AND NOT ${MONEY_LOST} AND coalesce(refund_reason, '') NOT IN ${UNFULFILLABLE_REASONS_SQL})`
const UNPAID_STATUS = `status IN ('pending', 'failed', 'expired')`
/**
 * SQL: the stock is held, or enough is left and the payment was in time. After a won dispute a late payment is
 * accepted.
 */
const GOODS_AVAILABLE = `(held = units OR ((reserved_until IS NULL OR paid_at <= reserved_until OR NOT ${UNPAID_STATUS})
  AND ${inStockSql('SELECT variant_id, quantity - restocked_quantity AS quantity FROM order_lines WHERE order_id = orders.id', null)}))`
const UNFULFILLABLE = `(${PAYMENT_VALID} AND ${UNPAID_STATUS} AND NOT ${GOODS_AVAILABLE})`
/** SQL: the goods were shipped. Returned goods are restocked by hand, so a refund releases no stock. */
const SHIPPED = `fulfilment IN ('shipped', 'delivered')`

/**
 * Binds ?1 order, ?2 event, ?3 delivery, ?4 now. A valid payment without available goods requests a refund. A won
 * dispute leaves the order `expired` if the payment is not known yet, or must still be refunded.
 */
export const SETTLE_ORDER = `
  UPDATE orders SET
    status = CASE WHEN ${MONEY_LOST} THEN 'refunded' WHEN ${PAYMENT_VALID} AND (${GOODS_AVAILABLE} OR NOT ${UNPAID_STATUS}) THEN 'paid'
      WHEN ${PAYMENT_VALID} OR status = 'refunded' THEN 'expired' ELSE status END,
    held = CASE WHEN ${MONEY_LOST} THEN iif(${SHIPPED}, held, 0) WHEN ${PAYMENT_VALID} AND status <> 'paid' THEN iif(${GOODS_AVAILABLE}, units, 0)
      ELSE held END,
    refund_reason = CASE WHEN ${UNFULFILLABLE} THEN iif(paid_at > reserved_until, 'late', 'sold_out')
      WHEN ${MONEY_LOST} THEN coalesce(refund_reason, iif(${DISPUTED}, 'disputed', 'elsewhere'))
      WHEN refund_reason = 'disputed' THEN NULL ELSE refund_reason END,
    refund_wanted_at = iif(${UNFULFILLABLE}, ?4, refund_wanted_at), tries = iif(${UNFULFILLABLE}, 0, tries),
    retry_at = iif(${UNFULFILLABLE}, 0, retry_at)
  WHERE id = ?1 AND EXISTS (SELECT 1 FROM payment_events WHERE id = ?2 AND delivery = ?3)`

// A won dispute makes a refunded order paid again: the second award has the key `<key>#2`. The action of a reversal
// shows its cause; only after a reversal by a refund may another award follow.

const PURCHASE_KEY = `'merch_purchase:' || orders.id`
/** SQL: `entry.key` is `key`, or `key#2` and so on. No other key lies between `key` and `key$`. */
const repeatsOf = (key: string) => `entry.key >= ${key} AND entry.key < ${key} || '$'`
const NOT_REVERSED = `NOT EXISTS (SELECT 1 FROM ledger reversal WHERE reversal.user_id = entry.user_id AND reversal.key = 'undo:' || entry.key)`
const REVERSED_BY_REFUND = `EXISTS (SELECT 1 FROM ledger reversal
  WHERE reversal.user_id = entry.user_id AND reversal.key = 'undo:' || entry.key AND reversal.action = 'merch_refund')`
const REFUNDED_ORDER = `orders.id = ?1 AND orders.status = 'refunded'`

/**
 * Statements that award the points of a paid order, or reverse those of a refunded order and the awards of missions
 * that are no longer completed. Each checks the status and is idempotent. They bind ?1 order, ?2 now.
 */
export const PURCHASE_POINTS = [
  `INSERT INTO ledger (user_id, action, key, description, points, created_at)
   SELECT orders.user_id, 'merch_purchase',
     ${PURCHASE_KEY} || (SELECT iif(count(*) = 0, '', '#' || (count(*) + 1)) FROM ledger entry
       WHERE entry.user_id = orders.user_id AND ${repeatsOf(PURCHASE_KEY)}),
     'Bought ' || (SELECT group_concat(product_name, ', ' ORDER BY position) FROM (
       SELECT product_name, min(position) AS position FROM order_lines WHERE order_id = orders.id GROUP BY product_id ORDER BY 2 LIMIT 3))
       || (SELECT iif(count(DISTINCT product_id) > 3, ' and more', '') FROM order_lines WHERE order_id = orders.id), ${POINTS.merch_purchase}, ?2
   FROM orders WHERE orders.id = ?1 AND orders.user_id IS NOT NULL AND orders.status = 'paid'
     AND NOT EXISTS (SELECT 1 FROM ledger entry WHERE entry.user_id = orders.user_id AND ${repeatsOf(PURCHASE_KEY)}
       AND NOT ${REVERSED_BY_REFUND})
   ON CONFLICT DO NOTHING`,
  `INSERT INTO ledger (user_id, action, key, description, points, created_at)
   SELECT entry.user_id, 'merch_refund', 'undo:' || entry.key, 'Refunded: ' || entry.description, -entry.points, ?2
   FROM orders JOIN ledger entry ON entry.user_id = orders.user_id AND ${repeatsOf(PURCHASE_KEY)}
   WHERE ${REFUNDED_ORDER} AND ${NOT_REVERSED}
   ON CONFLICT DO NOTHING`,
  `INSERT INTO ledger (user_id, action, key, description, points, created_at)
   SELECT entry.user_id, 'merch_refund', 'undo:' || entry.key, 'Taken back: ' || mission.title, -entry.points, ?2
   FROM orders JOIN missions mission ON mission.action = 'merch_purchase' AND NOT mission.is_streak
     JOIN ledger entry ON entry.user_id = orders.user_id AND ${repeatsOf("'mission:' || mission.id")}
   WHERE ${REFUNDED_ORDER} AND ${NOT_REVERSED} AND mission.target > (
     SELECT count(*) FROM standing_acts act WHERE act.user_id = orders.user_id AND act.action = mission.action)
   ON CONFLICT DO NOTHING`,
]
