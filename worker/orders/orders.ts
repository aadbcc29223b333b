import { and, desc, eq, sql } from 'drizzle-orm'
import type { Order, OwnOrder } from '../contract/orders'
import type { Db } from '../db/client'
import type { Millis } from '../lib/clock'
import { Refused } from '../lib/refused'
import { limits } from '../limits'
import { products } from '../shop/shop.table'
import { orders } from './orders.table'
import { opensOrder, receiptPath } from './receipt-link'
import { lacksAddress, NOWHERE } from './unaddressed'

export const unknownOrder = () => new Refused('not_found', 'That order does not exist.')

type Row = typeof orders.$inferSelect

const picture = sql<string>`coalesce((SELECT url FROM product_images WHERE product_id = ${orders.productId} ORDER BY position LIMIT 1), '')`

/**
 * An order for whoever has its secret. An unknown order and a wrong secret are answered alike (K11).
 * @throws Refused `not_found`.
 */
export async function orderFor(
  db: Db,
  { id, secret, signingSecret, at }: { id: string; secret: string; signingSecret: string; at: Millis },
): Promise<Order> {
  const [found] = await db
    .select({ order: orders, product: { name: products.name, ships: products.ships }, imageUrl: picture })
    .from(orders)
    .innerJoin(products, eq(products.id, orders.productId))
    .where(eq(orders.id, id))
  const known = found
    ? { id: found.order.id, clientSecretHash: found.order.clientSecretHash }
    : { id, clientSecretHash: null }
  const opens = await opensOrder(signingSecret, known, secret)
  if (!found || !opens) throw unknownOrder()
  const { order, product, imageUrl } = found
  const over = ['pending', 'failed'].includes(order.status) && (order.reservedUntil ?? 0) <= at
  const status = over ? 'expired' : order.status
  return {
    id: order.id,
    status,
    message: messageFor({ ...order, status }) ?? (lacksAddress(order, product.ships) ? NOWHERE : null),
    productId: order.productId,
    productName: product.name,
    imageUrl,
    ships: product.ships,
    quantity: order.quantity,
    unitPriceCents: order.unitPriceCents,
    discountCents: order.discountCents,
    amountCents: order.amountCents,
    refundedCents: order.refundedCents,
    createdAt: iso(order.createdAt),
    paidAt: order.paidAt === null ? null : iso(order.paidAt),
    reservedUntil:
      ['pending', 'failed'].includes(status) && order.reservedUntil !== null ? iso(order.reservedUntil) : null,
    fulfilment: order.fulfilment,
    tracking: order.tracking,
    email: order.email,
    shippingAddress: order.shippingAddress,
    addressMissing: lacksAddress(order, product.ships),
    test: order.isTest,
  }
}

const iso = (at: Millis) => new Date(at).toISOString()

const WHY = {
  late: 'Your payment came too late: what you ordered was no longer kept for you.',
  sold_out: 'Your payment came in time, but what you ordered was sold out when we heard of it.',
  amount: 'This order was changed while it was being paid, and what you paid was not its total any more.',
} as const

type Puzzling = Pick<
  Row,
  'status' | 'refundReason' | 'refundedCents' | 'amountCents' | 'refundRefusedAt' | 'paidAt' | 'intentOpen'
>

/** What the buyer is told where the status alone would puzzle. */
export function messageFor({
  status,
  refundReason,
  refundedCents,
  amountCents,
  refundRefusedAt,
  paidAt,
  intentOpen,
}: Puzzling): string | null {
  if (refundRefusedAt !== null)
    return 'Your refund has not reached your card yet. We know of it and are looking after it.'
  if (refundReason === 'late' || refundReason === 'sold_out' || refundReason === 'amount')
    return `${WHY[refundReason]} ${status === 'refunded' ? 'It has been' : 'It is being'} refunded in full.`
  if (refundReason === 'disputed' && status === 'refunded') return 'Your bank took this payment back at your request.'
  if (status === 'refunded') return 'This order has been refunded in full.'
  if (refundReason === 'requested') return 'This order is being refunded.'
  if (refundedCents > 0 && refundedCents < amountCents) return 'A part of this order has been refunded.'
  // Only where the payment is called off is it certain: one that was in time may be told of later.
  if (status === 'expired' && paidAt === null && !intentOpen)
    return 'It was not paid in time, and nothing has been charged.'
  return null
}

type Page = { list: OwnOrder[]; next: string | null }

/**
 * A supporter's own orders that were ever paid, newest first.
 * @throws Refused `bad_input` for a cursor that we never gave.
 */
export async function ownOrders(
  db: Db,
  { userId, cursor, signingSecret }: { userId: number; cursor: string | null; signingSecret: string },
): Promise<Page> {
  const rows = await db
    .select({ order: orders, productName: products.name })
    .from(orders)
    .innerJoin(products, eq(products.id, orders.productId))
    .where(and(eq(orders.userId, userId), sql`${orders.paidAt} is not null`, behind(cursor)))
    .orderBy(desc(orders.createdAt), desc(orders.id))
    .limit(limits.ordersOnAPage + 1)
  const shown = rows.slice(0, limits.ordersOnAPage)
  const list = await Promise.all(
    shown.map(async ({ order, productName }) => ({
      id: order.id,
      status: order.status,
      productName,
      quantity: order.quantity,
      amountCents: order.amountCents,
      refundedCents: order.refundedCents,
      fulfilment: order.fulfilment,
      createdAt: iso(order.createdAt),
      receiptUrl: await receiptPath(signingSecret, order.id),
    })),
  )
  return { list, next: rows.length > shown.length ? cursorOf(shown.at(-1)?.order) : null }
}

/** The cursor of the page behind an order. */
export const cursorOf = (last: Pick<Row, 'createdAt' | 'id'> | undefined): string | null =>
  last ? `${last.createdAt}.${last.id}` : null

/** The condition of a page: what comes behind the cursor. @throws Refused `bad_input`. */
export function behind(cursor: string | null) {
  if (cursor === null) return undefined
  const [, at, id] = /^(\d{1,15})\.([\w-]{1,64})$/.exec(cursor) ?? []
  if (!at || !id) throw new Refused('bad_input', 'That page of the orders does not exist.')
  return sql`(${orders.createdAt}, ${orders.id}) < (${Number(at)}, ${id})`
}
