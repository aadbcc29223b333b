import { RETENTION } from '../contract/retention'
import type { Db } from '../db/client'
import { aged, type Step, together, took } from '../db/portions'
import { DAY, type Millis } from '../lib/clock'
import { outstanding } from './outstanding'

const BUYER_STAYS = 'EXISTS (SELECT 1 FROM users WHERE users.id = orders.user_id AND erased_at IS NULL)'
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
  // Those of no order of ours as well: a stranger's, a membership's.
  const events = await aged(
    d1,
    {
      due: 'SELECT id, received_at AS since FROM payment_events WHERE received_at <= ?1 ORDER BY received_at',
      months: RETENTION.transactionMonths,
      at,
      size: AT_ONCE,
    },
    (ids) => [d1.prepare('DELETE FROM payment_events WHERE id IN (SELECT value FROM json_each(?1))').bind(ids)],
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
  // Who held stock, as a keyed hash of a network address: nothing asks once the reservation is long over.
  const held = await d1
    .prepare(
      `UPDATE orders SET holder = NULL WHERE id IN (
         SELECT id FROM orders WHERE holder IS NOT NULL AND created_at <= ?1 LIMIT ${AT_ONCE}) RETURNING id`,
    )
    .bind(at - RETENTION.unconfirmedDays * DAY)
    .all()
  return together([old, events, took(abandoned, AT_ONCE), took(held, AT_ONCE)])
}

/** Forgets the buyers whose accounts are gone, once the parcel or the money has reached them, with the mails about it. */
export async function forgetBuyers(db: Db, at: Millis): Promise<Step> {
  const d1 = db.$client
  const { results } = await d1
    .prepare(
      // A mail about the order that still waits goes out first.
      `SELECT id FROM orders WHERE forget_wanted_at IS NOT NULL AND NOT (${outstanding('?1')})
         AND NOT EXISTS (SELECT 1 FROM outbox WHERE dedupe_key IN ('receipt:' || orders.id, 'refund:' || orders.id)
           AND state = 'waiting')
       ORDER BY forget_wanted_at LIMIT ${AT_ONCE}`,
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
           shipping_address = iif(${BUYER_STAYS}, shipping_address, NULL), tracking = iif(${BUYER_STAYS}, tracking, '')
         WHERE id IN (SELECT value FROM json_each(?1))`,
      )
      .bind(ids),
  ])
  return { affected: results.length, more: results.length === AT_ONCE }
}
