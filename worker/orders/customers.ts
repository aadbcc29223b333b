import { and, desc, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import type { AdminOrderRecord, Customer } from '../contract/orders'
import type { Db } from '../db/client'
import { AppError } from '../lib/app-error'
import type { Millis } from '../lib/clock'
import { maskEmail } from '../lib/email'
import { readAdminOrders } from './admin-orders'
import { orders } from './orders.table'

const MAX_ORDERS = 200

type Buyer = { userId: number | null; username: string | null; email: string | null }

/**
 * The buyer of an order; null without an account and an email. A guest is identified by the order, so that URLs of the
 * dashboard contain no email address.
 */
export function customerOf(orderId: string, { userId, username, email }: Buyer): AdminOrderRecord['customer'] {
  if (userId !== null && username !== null) return { kind: 'supporter', id: String(userId), username }
  return email === null ? null : { kind: 'guest', orderId, email: maskEmail(email) }
}

/** The newest orders of the guest who placed this order, and totals of all paid ones. @throws AppError `not_found`. */
export async function readCustomer(db: Db, orderId: string, at: Millis): Promise<Customer> {
  const isGuest = and(isNull(orders.userId), isNotNull(orders.email))
  const lowerEmail = sql<string>`lower(${orders.email})`
  const [guest] = await db
    .select({ lowerEmail })
    .from(orders)
    .where(and(eq(orders.id, orderId), isGuest))
  if (!guest) throw new AppError('not_found', 'No orders of this customer were found.')
  const isOfGuest = and(isGuest, eq(lowerEmail, guest.lowerEmail))
  const [[totals], rows] = await db.batch([
    db
      .select({
        orders: sql<number>`count(*)`,
        paidCents: sql<number>`coalesce(sum(${orders.amountCents}), 0)`,
        refundedCents: sql<number>`coalesce(sum(${orders.refundedCents}), 0)`,
      })
      .from(orders)
      .where(and(isOfGuest, isNotNull(orders.paidAt))),
    db.select({ id: orders.id }).from(orders).where(isOfGuest).orderBy(desc(orders.createdAt)).limit(MAX_ORDERS),
  ])
  const ids = rows.map(({ id }) => id)
  return {
    email: maskEmail(guest.lowerEmail),
    totals: totals ?? { orders: 0, paidCents: 0, refundedCents: 0 },
    orders: await readAdminOrders(db, ids, at),
  }
}
