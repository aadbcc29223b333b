import { RETENTION } from '../contract/retention'
import { type BatchResult, batchResult, combineResults, processDueRows } from '../db/batch-delete'
import type { Db } from '../db/client'
import { DAY_MS, type Millis } from '../lib/clock'
import { hasPendingFulfilment } from './fulfilment'

const BUYER_HAS_ACCOUNT = 'EXISTS (SELECT 1 FROM users WHERE users.id = orders.user_id AND erased_at IS NULL)'
const BATCH_SIZE = 200

/**
 * Deletes the orders whose seven years are over, and forgets what buyers typed who never paid. In portions: `more` says
 * that there is another one.
 */
export async function deleteOldOrders(db: Db, at: Millis): Promise<BatchResult> {
  const d1 = db.$client
  const oldOrders = await processDueRows(
    d1,
    {
      due: 'SELECT id, created_at AS since FROM orders WHERE created_at <= ?1 ORDER BY created_at',
      months: RETENTION.transactionMonths,
      at,
      size: BATCH_SIZE,
    },
    (ids) => [
      d1.prepare('DELETE FROM payment_events WHERE order_id IN (SELECT value FROM json_each(?1))').bind(ids),
      d1.prepare('DELETE FROM orders WHERE id IN (SELECT value FROM json_each(?1))').bind(ids),
    ],
  )
  // Those of no order of ours as well: a stranger's, a membership's.
  const events = await processDueRows(
    d1,
    {
      due: 'SELECT id, received_at AS since FROM payment_events WHERE received_at <= ?1 ORDER BY received_at',
      months: RETENTION.transactionMonths,
      at,
      size: BATCH_SIZE,
    },
    (ids) => [d1.prepare('DELETE FROM payment_events WHERE id IN (SELECT value FROM json_each(?1))').bind(ids)],
  )
  const abandoned = await d1
    .prepare(
      `UPDATE orders SET email = NULL, shipping_address = NULL
       WHERE id IN (SELECT id FROM orders WHERE created_at <= ?1 AND paid_at IS NULL AND refunded_cents = 0
         AND status IN ('failed', 'expired') AND (email IS NOT NULL OR shipping_address IS NOT NULL)
         ORDER BY created_at LIMIT ${BATCH_SIZE})
       RETURNING id`,
    )
    .bind(at - RETENTION.unconfirmedDays * DAY_MS)
    .all()
  // Who held stock, as a keyed hash of a network address: nothing asks once the reservation is long over.
  const holders = await d1
    .prepare(
      `UPDATE orders SET holder = NULL WHERE id IN (
         SELECT id FROM orders WHERE holder IS NOT NULL AND created_at <= ?1 LIMIT ${BATCH_SIZE}) RETURNING id`,
    )
    .bind(at - RETENTION.unconfirmedDays * DAY_MS)
    .all()
  return combineResults([oldOrders, events, batchResult(abandoned, BATCH_SIZE), batchResult(holders, BATCH_SIZE)])
}

/** Forgets the buyers whose accounts are gone, once the parcel or the money has reached them, with the mails about it. */
export async function eraseBuyers(db: Db, at: Millis): Promise<BatchResult> {
  const d1 = db.$client
  const { results } = await d1
    .prepare(
      // A mail about the order that still waits goes out first.
      `SELECT id FROM orders WHERE forget_wanted_at IS NOT NULL AND NOT (${hasPendingFulfilment('?1')})
         AND NOT EXISTS (SELECT 1 FROM outbox WHERE dedupe_key IN ('receipt:' || orders.id, 'refund:' || orders.id)
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
        `DELETE FROM outbox WHERE dedupe_key IN (SELECT 'receipt:' || value FROM json_each(?1)
           UNION SELECT 'refund:' || value FROM json_each(?1))`,
      )
      .bind(ids),
    d1
      .prepare(
        // Of an order whose buyer is still here, the address alone: it was somebody else's, who is gone.
        `UPDATE orders SET email = NULL, forget_wanted_at = NULL,
           shipping_address = iif(${BUYER_HAS_ACCOUNT}, shipping_address, NULL), tracking = iif(${BUYER_HAS_ACCOUNT}, tracking, '')
         WHERE id IN (SELECT value FROM json_each(?1))`,
      )
      .bind(ids),
  ])
  return { affected: results.length, more: results.length === BATCH_SIZE }
}
