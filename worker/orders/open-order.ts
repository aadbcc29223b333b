import { and, eq, gt, inArray } from 'drizzle-orm'
import type { Db } from '../db/client'
import type { Millis } from '../lib/clock'
import { sha256 } from '../lib/secret'
import { orders } from './orders.table'

export type OpenOrder = typeof orders.$inferSelect

type Named = { orderId: string; at: Millis } | { buyer: BuyerKeys; productId: string; at: Millis }

/**
 * Under what a buyer's open order is found again: the browser's checkout key and who is logged in there. Two people who
 * use one browser have an order each; `visitor` is the one of nobody, which whoever logs in takes along.
 */
export type BuyerKeys = { own: string; visitor: string }

export async function buyerKeys(checkoutKey: string, userId: number | null): Promise<BuyerKeys> {
  const visitor = await sha256(checkoutKey)
  return { visitor, own: userId === null ? visitor : await sha256(`${checkoutKey} of user ${userId}`) }
}

/** The order of this id, whatever its state, or the one that stands open for a buyer and product. */
export async function openOrder(db: Db, named: Named): Promise<OpenOrder | null> {
  const where =
    'orderId' in named
      ? eq(orders.id, named.orderId)
      : and(
          inArray(orders.checkoutKeyHash, [named.buyer.own, named.buyer.visitor]),
          eq(orders.productId, named.productId),
          inArray(orders.status, ['pending', 'failed']),
          gt(orders.reservedUntil, named.at),
        )
  const found = await db.select().from(orders).where(where)
  const order = found.find(({ checkoutKeyHash }) => 'buyer' in named && checkoutKeyHash === named.buyer.own) ?? found[0]
  if (!order) return null
  // Its time may be over before the sweep has seen it.
  const over = ['pending', 'failed'].includes(order.status) && (order.reservedUntil ?? 0) <= named.at
  return over ? { ...order, status: 'expired' } : order
}
