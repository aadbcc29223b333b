import { and, desc, eq, sql } from 'drizzle-orm'
import type { MyOrder, Order } from '../contract/orders'
import type { Db } from '../db/client'
import { AppError } from '../lib/app-error'
import type { Millis } from '../lib/clock'
import { limits } from '../limits'
import { products } from '../products/products.table'
import { ADDRESS_MISSING_MESSAGE, needsAddress } from './missing-address'
import { orders } from './orders.table'
import { receiptPath, verifyOrderSecret } from './receipt-link'

export const orderNotFound = () => new AppError('not_found', 'That order does not exist.')

type Row = typeof orders.$inferSelect

const firstImageUrl = sql<string>`coalesce((SELECT url FROM product_images WHERE product_id = ${orders.productId} ORDER BY position LIMIT 1), '')`

/**
 * An order for whoever has its secret. An unknown order and a wrong secret are answered alike (K11).
 * @throws AppError `not_found`.
 */
export async function getOrder(
  db: Db,
  { id, secret, signingSecret, at }: { id: string; secret: string; signingSecret: string; at: Millis },
): Promise<Order> {
  const [row] = await db
    .select({ order: orders, product: { name: products.name, ships: products.ships }, imageUrl: firstImageUrl })
    .from(orders)
    .innerJoin(products, eq(products.id, orders.productId))
    .where(eq(orders.id, id))
  const reference = row
    ? { id: row.order.id, clientSecretHash: row.order.clientSecretHash }
    : { id, clientSecretHash: null }
  const hasAccess = await verifyOrderSecret(signingSecret, reference, secret)
  if (!row || !hasAccess) throw orderNotFound()
  const { order, product, imageUrl } = row
  const isExpired = ['pending', 'failed'].includes(order.status) && (order.reservedUntil ?? 0) <= at
  const status = isExpired ? 'expired' : order.status
  return {
    id: order.id,
    status,
    message:
      orderMessage({ ...order, status }) ?? (needsAddress(order, product.ships) ? ADDRESS_MISSING_MESSAGE : null),
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
    addressMissing: needsAddress(order, product.ships),
    test: order.isTest,
  }
}

const iso = (at: Millis) => new Date(at).toISOString()

const REFUND_MESSAGES = {
  late: 'Your payment came too late: what you ordered was no longer kept for you.',
  sold_out: 'Your payment came in time, but what you ordered was sold out when we heard of it.',
  amount: 'This order was changed while it was being paid, and what you paid was not its total any more.',
} as const

type MessageInput = Pick<
  Row,
  'status' | 'refundReason' | 'refundedCents' | 'amountCents' | 'refundRefusedAt' | 'paidAt' | 'intentOpen'
>

/** What the buyer is told where the status alone would puzzle. */
export function orderMessage({
  status,
  refundReason,
  refundedCents,
  amountCents,
  refundRefusedAt,
  paidAt,
  intentOpen,
}: MessageInput): string | null {
  if (refundRefusedAt !== null)
    return 'Your refund has not reached your card yet. We know of it and are looking after it.'
  if (refundReason === 'late' || refundReason === 'sold_out' || refundReason === 'amount')
    return `${REFUND_MESSAGES[refundReason]} ${status === 'refunded' ? 'It has been' : 'It is being'} refunded in full.`
  if (refundReason === 'disputed' && status === 'refunded') return 'Your bank took this payment back at your request.'
  if (status === 'refunded') return 'This order has been refunded in full.'
  if (refundReason === 'requested') return 'This order is being refunded.'
  if (refundedCents > 0 && refundedCents < amountCents) return 'A part of this order has been refunded.'
  // Only where the payment is called off is it certain: one that was in time may be told of later.
  if (status === 'expired' && paidAt === null && !intentOpen)
    return 'It was not paid in time, and nothing has been charged.'
  return null
}

type Page = { list: MyOrder[]; next: string | null }

/**
 * A supporter's own orders that were ever paid, newest first.
 * @throws AppError `bad_input` for a cursor that we never gave.
 */
export async function listUserOrders(
  db: Db,
  { userId, cursor, signingSecret }: { userId: number; cursor: string | null; signingSecret: string },
): Promise<Page> {
  const rows = await db
    .select({ order: orders, productName: products.name })
    .from(orders)
    .innerJoin(products, eq(products.id, orders.productId))
    .where(and(eq(orders.userId, userId), sql`${orders.paidAt} is not null`, afterCursor(cursor)))
    .orderBy(desc(orders.createdAt), desc(orders.id))
    .limit(limits.ordersPageSize + 1)
  const page = rows.slice(0, limits.ordersPageSize)
  const list = await Promise.all(
    page.map(async ({ order, productName }) => ({
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
  return { list, next: rows.length > page.length ? orderCursor(page.at(-1)?.order) : null }
}

/** The cursor of the page behind an order. */
export const orderCursor = (last: Pick<Row, 'createdAt' | 'id'> | undefined): string | null =>
  last ? `${last.createdAt}.${last.id}` : null

/** The condition of a page: what comes behind the cursor. @throws AppError `bad_input`. */
export function afterCursor(cursor: string | null) {
  if (cursor === null) return undefined
  const [, at, id] = /^(\d{1,15})\.([\w-]{1,64})$/.exec(cursor) ?? []
  if (!at || !id) throw new AppError('bad_input', 'That page of the orders does not exist.')
  return sql`(${orders.createdAt}, ${orders.id}) < (${Number(at)}, ${id})`
}
