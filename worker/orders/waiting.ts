import { sql } from 'drizzle-orm'
import { countOf, countSource } from '../db/waiting'
import { DAY_MS, type Millis, toIso } from '../lib/clock'
import { isToPack } from './admin-list'

const PACK_WITHIN_MS: Millis = 2 * DAY_MS

/** The orders of the tab `To pack`. */
export const ordersToPack = countSource<{ count: number; since: Millis | null }>(
  'orders',
  (at) => sql`SELECT count(*) AS count, min(paid_at) AS since FROM orders WHERE ${isToPack(at)}`,
  ({ count, since }, at) => {
    const days = since === null ? 0 : Math.floor((at - since) / DAY_MS)
    return {
      id: 'orders.pack',
      title: 'Orders to pack',
      text: `${countOf(count, 'paid order')} to pack${days > 0 ? `, the oldest paid ${days === 1 ? 'a day' : `${days} days`} ago` : ''}.`,
      href: '/admin/orders',
      action: 'Pack the orders',
      dueAt: null,
      isUrgent: since !== null && at - since > PACK_WITHIN_MS,
    }
  },
)

/** Refunds that the payment provider rejected. */
export const refusedRefunds = countSource<{ count: number; since: Millis | null }>(
  'orders',
  () => sql`SELECT count(*) AS count, min(refund_refused_at) AS since FROM orders WHERE refund_refused_at IS NOT NULL`,
  ({ count, since }) => ({
    id: 'orders.refunds',
    title: 'Refunds that failed',
    text: `The payment provider rejected ${count === 1 ? 'a refund' : `${count} refunds`}. The buyer still waits for the money.`,
    href: '/admin/orders',
    action: 'Open the orders',
    dueAt: toIso(since),
    isUrgent: true,
  }),
)

const RECENT_MS: Millis = 2 * DAY_MS

/** Orders of the last two days whose card was declined and that nobody has paid. */
export const failedPayments = countSource<{ count: number }>(
  'orders',
  (at) => sql`SELECT count(DISTINCT o.id) AS count FROM payment_events e JOIN orders o ON o.id = e.order_id
    WHERE e.received_at >= ${at - RECENT_MS} AND e.type = 'payment_intent.payment_failed' AND e.state = 'applied'
      AND o.paid_at IS NULL`,
  ({ count }) => ({
    id: 'orders.declined',
    title: 'Payments that failed',
    text: `${countOf(count, 'order')} of the last two days ended with a declined card.`,
    href: '/admin/orders?tab=all&status=failed,expired',
    action: 'Open the orders',
    dueAt: null,
    isUrgent: false,
  }),
)
