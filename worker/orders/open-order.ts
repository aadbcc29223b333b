import { and, eq, gt, inArray } from 'drizzle-orm'
import type { Db } from '../db/client'
import type { Millis } from '../lib/clock'
import { sha256 } from '../lib/crypto'
import { orders } from './orders.table'

export type OpenOrder = typeof orders.$inferSelect

type OrderLookup = { orderId: string; at: Millis } | { buyer: BuyerKeys; productId: string; at: Millis }

/**
 * Under what a buyer's open order is found again: the browser's checkout key and who is logged in there. Two people who
 * use one browser have an order each; `visitor` is the one of nobody, which whoever logs in takes along.
 */
export type BuyerKeys = { primary: string; visitor: string }

export async function buyerKeys(checkoutKey: string, userId: number | null): Promise<BuyerKeys> {
  const visitor = await sha256(checkoutKey)
  return { visitor, primary: userId === null ? visitor : await sha256(`${checkoutKey} of user ${userId}`) }
}

/** The order of this id, whatever its state, or the one that stands open for a buyer and product. */
export async function findOpenOrder(db: Db, lookup: OrderLookup): Promise<OpenOrder | null> {
  const where =
    'orderId' in lookup
      ? eq(orders.id, lookup.orderId)
      : and(
          inArray(orders.checkoutKeyHash, [lookup.buyer.primary, lookup.buyer.visitor]),
          eq(orders.productId, lookup.productId),
          inArray(orders.status, ['pending', 'failed']),
          gt(orders.reservedUntil, lookup.at),
        )
  const rows = await db.select().from(orders).where(where)
  const order =
    rows.find(({ checkoutKeyHash }) => 'buyer' in lookup && checkoutKeyHash === lookup.buyer.primary) ?? rows[0]
  if (!order) return null
  // Its time may be over before the sweep has seen it.
  const isExpired = ['pending', 'failed'].includes(order.status) && (order.reservedUntil ?? 0) <= lookup.at
  return isExpired ? { ...order, status: 'expired' } : order
}
