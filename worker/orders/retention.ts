import { RETENTION } from '../contract/retention'
import type { Db } from '../db/client'
import { DAY, type Millis } from '../lib/clock'
import { monthsAfter, youngestDue } from '../lib/months'

/** What a buyer typed who never paid is kept so long, in case they come back. */
const ABANDONED: Millis = 30 * DAY
const AT_ONCE = 200

/**
 * Deletes the orders whose seven years are over, and forgets what buyers typed who never paid. In portions: `more` says
 * that there is another one.
 */
export async function forgetOldOrders(db: Db, at: Millis): Promise<{ affected: number; more: boolean }> {
  const d1 = db.$client
  const { results } = await d1
    .prepare(
      `SELECT id, created_at AS createdAt FROM orders WHERE created_at <= ?1 ORDER BY created_at LIMIT ${AT_ONCE}`,
    )
    .bind(youngestDue(at, RETENTION.transactionMonths))
    .all<{ id: string; createdAt: Millis }>()
  const due = results.filter(({ createdAt }) => monthsAfter(createdAt, RETENTION.transactionMonths) <= at)
  const ids = JSON.stringify(due.map(({ id }) => id))
  const [, deleted, emptied] = await d1.batch([
    d1.prepare('DELETE FROM payment_events WHERE order_id IN (SELECT value FROM json_each(?1))').bind(ids),
    d1.prepare('DELETE FROM orders WHERE id IN (SELECT value FROM json_each(?1)) RETURNING id').bind(ids),
    d1
      .prepare(
        `UPDATE orders SET email = NULL, shipping_address = NULL
         WHERE id IN (SELECT id FROM orders WHERE created_at <= ?1 AND paid_at IS NULL AND refunded_cents = 0
           AND status IN ('failed', 'expired') AND (email IS NOT NULL OR shipping_address IS NOT NULL) LIMIT ${AT_ONCE})
         RETURNING id`,
      )
      .bind(at - ABANDONED),
  ])
  const [gone, forgotten] = [deleted?.results.length ?? 0, emptied?.results.length ?? 0]
  return { affected: gone + forgotten, more: gone === AT_ONCE || forgotten === AT_ONCE }
}
