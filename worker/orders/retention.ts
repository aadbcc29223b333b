import { RETENTION } from '../contract/retention'
import { type BatchResult, batchResult, combineResults, processDueRows } from '../db/cleanup-batches'
import type { Db } from '../db/client'
import { ORDER_EMAIL_KINDS_TABLE, orderEmailKeys } from '../email/order-email-kinds'
import { DAY_MS, type Millis } from '../lib/clock'
import { CLEAR_RESERVATION_HOLDER } from './orders'

/**
 * SQL over `orders`: payment, shipment or a refund is pending at `now` (SQL), so the buyer's email and address are
 * still needed. A shipment that is not marked as delivered counts as delivered after RETENTION.shipmentDays.
 */
export const orderUnderWaySql = (
  now: string,
) => `((status IN ('pending', 'paid') AND (fulfilment IN ('unfulfilled', 'packed')
      OR (fulfilment = 'shipped' AND coalesce(shipped_at, paid_at, created_at) > ${now} - ${RETENTION.shipmentDays * DAY_MS})))
    OR intent_open = 1 OR (refund_wanted_at IS NOT NULL AND refund_sent_at IS NULL))
  AND (email IS NOT NULL OR shipping_address IS NOT NULL)`

/** SQL assignment that leaves only country and state, which tax law requires. */
export const COARSEN_TAX_LOCATION = `tax_location = json_set(tax_location, '$.postalCode', '')`

const BUYER_HAS_ACCOUNT = 'EXISTS (SELECT 1 FROM users WHERE users.id = orders.user_id AND erased_at IS NULL)'
const BATCH_SIZE = 200

/** Deletes one batch of old orders and events, and the contact data of orders that were never paid. */
export async function deleteOldOrders(db: Db, at: Millis): Promise<BatchResult> {
  const d1 = db.$client
  const oldOrders = await processDueRows(db, {
    due: 'SELECT id, created_at AS since FROM orders WHERE created_at <= ?1 ORDER BY created_at',
    months: RETENTION.transactionMonths,
    at,
    size: BATCH_SIZE,
    change: [
      'DELETE FROM payment_events WHERE order_id IN (SELECT value FROM json_each(?1))',
      'DELETE FROM order_refunds WHERE order_id IN (SELECT value FROM json_each(?1))',
      'DELETE FROM order_lines WHERE order_id IN (SELECT value FROM json_each(?1))',
      'DELETE FROM orders WHERE id IN (SELECT value FROM json_each(?1))',
    ],
  })
  // Events that belong to no order.
  const events = await processDueRows(db, {
    due: 'SELECT id, received_at AS since FROM payment_events WHERE received_at <= ?1 ORDER BY received_at',
    months: RETENTION.transactionMonths,
    at,
    size: BATCH_SIZE,
    change: ['DELETE FROM payment_events WHERE id IN (SELECT value FROM json_each(?1))'],
  })
  const abandoned = await d1
    .prepare(
      `UPDATE orders SET email = NULL, shipping_address = NULL, tax_location = NULL
       WHERE id IN (SELECT id FROM orders WHERE created_at <= ?1 AND paid_at IS NULL AND refunded_cents = 0
         AND status IN ('failed', 'expired') AND (email IS NOT NULL OR shipping_address IS NOT NULL OR tax_location IS NOT NULL)
         ORDER BY created_at LIMIT ${BATCH_SIZE})
       RETURNING id`,
    )
    .bind(at - RETENTION.unconfirmedDays * DAY_MS)
    .all()
  // Hashes of devices and networks that reserved stock.
  const hashedOrders = await d1
    .prepare(
      `UPDATE orders SET ${CLEAR_RESERVATION_HOLDER} WHERE id IN (
         SELECT id FROM orders WHERE network_hash IS NOT NULL AND created_at <= ?1 LIMIT ${BATCH_SIZE}) RETURNING id`,
    )
    .bind(at - RETENTION.unconfirmedDays * DAY_MS)
    .all()
  return combineResults([oldOrders, events, batchResult(abandoned, BATCH_SIZE), batchResult(hashedOrders, BATCH_SIZE)])
}

/** Erases the data of erased buyers from their orders, with the order emails, once nothing is pending. */
export async function eraseBuyers(db: Db, at: Millis): Promise<BatchResult> {
  const d1 = db.$client
  const { results } = await d1
    .prepare(
      // Waiting emails are sent first.
      `SELECT id FROM orders WHERE forget_wanted_at IS NOT NULL AND NOT (${orderUnderWaySql('?1')})
         AND NOT EXISTS (SELECT 1 FROM outbox WHERE dedupe_key IN (${orderEmailKeys('orders.id')})
           AND state = 'waiting')
       ORDER BY forget_wanted_at LIMIT ${BATCH_SIZE}`,
    )
    .bind(at)
    .all<{ id: string }>()
  if (results.length === 0) return { affected: 0, more: false }
  const ids = JSON.stringify(results.map(({ id }) => id))
  await d1.batch([
    d1
      .prepare(
        `DELETE FROM outbox WHERE dedupe_key IN (
           SELECT kinds.value || ':' || ids.value FROM json_each(?1) ids JOIN ${ORDER_EMAIL_KINDS_TABLE} kinds)`,
      )
      .bind(ids),
    d1
      .prepare(
        // If the buyer has an account, only the email is removed: it belonged to an erased user or visitor.
        `UPDATE orders SET email = NULL, forget_wanted_at = NULL,
           shipping_address = iif(${BUYER_HAS_ACCOUNT}, shipping_address, NULL), tracking = iif(${BUYER_HAS_ACCOUNT}, tracking, '')
         WHERE id IN (SELECT value FROM json_each(?1))`,
      )
      .bind(ids),
  ])
  return { affected: results.length, more: results.length === BATCH_SIZE }
}
