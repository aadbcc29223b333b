import { RETENTION } from '../contract/retention'
import type { Db } from '../db/client'
import { aged, type Step, together, took } from '../db/portions'
import { DAY, type Millis } from '../lib/clock'

const AT_ONCE = 200

/**
 * Deletes the orders whose seven years are over, and forgets what buyers typed who never paid. In portions: `more` says
 * that there is another one.
 */
export async function forgetOldOrders(db: Db, at: Millis): Promise<Step> {
  const d1 = db.$client
  const old = await aged(
    d1,
    {
      due: 'SELECT id, created_at AS since FROM orders WHERE created_at <= ?1 ORDER BY created_at',
      months: RETENTION.transactionMonths,
      at,
      size: AT_ONCE,
    },
    (ids) => [
      d1.prepare('DELETE FROM payment_events WHERE order_id IN (SELECT value FROM json_each(?1))').bind(ids),
      d1.prepare('DELETE FROM orders WHERE id IN (SELECT value FROM json_each(?1))').bind(ids),
    ],
  )
  const abandoned = await d1
    .prepare(
      `UPDATE orders SET email = NULL, shipping_address = NULL
       WHERE id IN (SELECT id FROM orders WHERE created_at <= ?1 AND paid_at IS NULL AND refunded_cents = 0
         AND status IN ('failed', 'expired') AND (email IS NOT NULL OR shipping_address IS NOT NULL)
         ORDER BY created_at LIMIT ${AT_ONCE})
       RETURNING id`,
    )
    .bind(at - RETENTION.unconfirmedDays * DAY)
    .all()
  return together([old, took(abandoned, AT_ONCE)])
}
