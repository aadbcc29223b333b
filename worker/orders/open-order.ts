import { and, eq, gt, inArray } from 'drizzle-orm'
import type { Db } from '../db/client'
import type { Millis } from '../lib/clock'
import { orders } from './orders.table'

export type OpenOrder = typeof orders.$inferSelect

type Named = { orderId: string; at: Millis } | { keyHash: string; productId: string; at: Millis }

/** The order of this id, whatever its state, or the one that stands open for a checkout key and product. */
export async function openOrder(db: Db, named: Named): Promise<OpenOrder | null> {
  const where =
    'orderId' in named
      ? eq(orders.id, named.orderId)
      : and(
          eq(orders.checkoutKeyHash, named.keyHash),
          eq(orders.productId, named.productId),
          inArray(orders.status, ['pending', 'failed']),
          gt(orders.reservedUntil, named.at),
        )
  const [order] = await db.select().from(orders).where(where)
  if (!order) return null
  // Its time may be over before the sweep has seen it.
  const over = ['pending', 'failed'].includes(order.status) && (order.reservedUntil ?? 0) <= named.at
  return over ? { ...order, status: 'expired' } : order
}
