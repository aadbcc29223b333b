import { sql } from 'drizzle-orm'
import { capitalizedCountOf, countSource } from '../db/pending-tasks'
import { DAY_MS, type Millis, toIso } from '../lib/clock'
import { isToPack } from './admin-list'

const PACK_DEADLINE_MS: Millis = 2 * DAY_MS

type OrderCount = { count: number; since: Millis | null }

const countOrders = (fulfilment: 'unfulfilled' | 'packed') => (at: Millis) =>
  sql`SELECT count(*) AS count, min(paid_at) AS since FROM orders WHERE ${isToPack(at)} AND fulfilment = ${fulfilment}`

function oldestPaidText(since: Millis | null, at: Millis): string {
  const days = since === null ? 0 : Math.floor((at - since) / DAY_MS)
  return days === 0 ? '' : `, the oldest paid ${days === 1 ? 'a day' : `${days} days`} ago`
}

/** Orders that the packing screen lists. */
export const ordersToPack = countSource<OrderCount>('orders', countOrders('unfulfilled'), ({ count, since }, at) => ({
  id: 'orders.pack',
  title: 'Orders to pack',
  text: `${capitalizedCountOf(count, 'paid order')} to pack${oldestPaidText(since, at)}.`,
  href: '/admin/packing',
  action: 'Pack the orders',
  dueAt: null,
  isUrgent: since !== null && at - since > PACK_DEADLINE_MS,
}))

/** Packed orders stay in the tab `To pack` until they are marked as shipped. */
export const ordersToShip = countSource<OrderCount>('orders', countOrders('packed'), ({ count, since }, at) => ({
  id: 'orders.ship',
  title: 'Packed orders to ship',
  text: `${capitalizedCountOf(count, 'packed order')} to mark as shipped${oldestPaidText(since, at)}.`,
  href: '/admin/orders?fulfilment=packed',
  action: 'Open the packed orders',
  dueAt: null,
  isUrgent: false,
}))

/** Refunds of whole orders that the provider rejected, or that failed after it had accepted them. */
export const rejectedRefunds = countSource<OrderCount>(
  'orders',
  () => sql`SELECT count(*) AS count, min(refund_refused_at) AS since FROM orders WHERE refund_refused_at IS NOT NULL`,
  ({ count, since }) => ({
    id: 'orders.refunds',
    title: 'Refunds that failed',
    text:
      count === 1
        ? 'One refund did not go through. Its buyer is still waiting for the money.'
        : `${count} refunds did not go through. Their buyers are still waiting for the money.`,
    href: '/admin/orders',
    action: 'Open the orders',
    dueAt: toIso(since),
    isUrgent: true,
  }),
)

const DECLINED_CARD_WINDOW_MS: Millis = 2 * DAY_MS

/** Unpaid orders whose card was declined in the last two days. */
export const failedPayments = countSource<{ count: number }>(
  'orders',
  (at) => sql`SELECT count(DISTINCT orders.id) AS count FROM payment_events event
    JOIN orders ON orders.id = event.order_id
    WHERE event.received_at >= ${at - DECLINED_CARD_WINDOW_MS} AND event.type = 'payment_intent.payment_failed'
      AND event.state = 'applied' AND orders.paid_at IS NULL`,
  ({ count }) => ({
    id: 'orders.declined',
    title: 'Payments that failed',
    text: `${capitalizedCountOf(count, 'unpaid order')} had a declined card in the last two days.`,
    href: '/admin/orders?tab=all&status=failed,expired',
    action: 'Open the orders',
    dueAt: null,
    isUrgent: false,
  }),
)
