import { and, asc, desc, eq, isNotNull, sql } from 'drizzle-orm'
import { type MyOrder, type Order, type OrderLine, UNFULFILLABLE_REASONS } from '../contract/orders'
import type { OrderTax, PriceBreakdown } from '../contract/pricing'
import type { Db } from '../db/client'
import { paginate, parseCursor } from '../db/pagination'
import { AppError } from '../lib/app-error'
import { type Millis, toIso } from '../lib/clock'
import { sha256, sign } from '../lib/crypto'
import { limits } from '../limits'
import { variantTitle } from '../products/products'
import { products, productVariants } from '../products/products.table'
import { orderLines, orders } from './orders.table'

export const orderNotFoundError = () => new AppError('not_found', 'That order does not exist.')

type OrderRow = typeof orders.$inferSelect

/** `secret`: the receipt's token or the payment's client secret. */
export type OrderAccess = { id: string; secret: string; signingSecret: string; at: Millis }

const lineImageUrl = sql<string>`coalesce(nullif(${productVariants.imageUrl}, ''),
  (SELECT url FROM product_images WHERE product_id = ${orderLines.productId} ORDER BY position LIMIT 1), '')`

/** Contents of a bundle, as JSON. */
const bundleContents = sql<string>`(
  SELECT json_group_array(json_object('name', product.name, 'option', variant.name, 'quantity', item.quantity))
  FROM bundle_items item JOIN product_variants variant ON variant.id = item.variant_id
  JOIN products product ON product.id = variant.product_id
  WHERE item.bundle_variant_id = ${orderLines.variantId})`

/** Lines of these orders, sorted by order and position. */
export const linesQuery = (db: Db, orderIds: readonly string[]) =>
  db
    .select({
      line: orderLines,
      sku: productVariants.sku,
      releasesAt: products.releasesAt,
      imageUrl: lineImageUrl,
      items: bundleContents,
    })
    .from(orderLines)
    .innerJoin(productVariants, eq(productVariants.id, orderLines.variantId))
    .innerJoin(products, eq(products.id, orderLines.productId))
    .where(sql`${orderLines.orderId} IN (SELECT value FROM json_each(${JSON.stringify(orderIds)}))`)
    .orderBy(asc(orderLines.orderId), asc(orderLines.position))

export type LineRow = Awaited<ReturnType<typeof linesQuery>>[number]

export const toOrderLine = ({ line, releasesAt, imageUrl }: LineRow): OrderLine => ({
  id: line.id,
  productId: line.productId,
  variantId: line.variantId,
  productName: line.productName,
  variantName: line.variantName,
  imageUrl,
  kind: line.kind,
  quantity: line.quantity,
  unitPriceCents: line.unitPriceCents,
  discountCents: line.discountCents,
  taxCents: line.taxCents,
  refundedQuantity: line.refundedQuantity,
  refundedCents: line.refundedCents,
  releasesAt: toIso(releasesAt),
})

export const toBreakdown = (order: OrderRow): PriceBreakdown => ({
  linesCents: order.linesCents,
  shippingCents: order.shippingCents,
  taxCents: order.taxCents,
  taxIncluded: order.taxIncluded,
  discountCents: order.discountCents,
  totalCents: order.amountCents,
  currency: order.currency,
})

export const toOrderTax = ({ taxCents, taxName, taxRatePer100k }: OrderRow): OrderTax | null =>
  taxCents > 0 ? { name: taxName || 'Tax', ratePer100k: taxRatePer100k, isEstimate: false } : null

/** 'Hoodie (M) and 2 more'. */
function orderTitle(lines: readonly Pick<OrderLine, 'productName' | 'variantName'>[]): string {
  const [first, ...others] = lines
  const title = first ? variantTitle(first.productName, first.variantName) : ''
  return others.length === 0 ? title : `${title} and ${others.length} more`
}

/** The fields of an order that describe all its lines. */
export const summarizeLines = (lines: readonly OrderLine[]) => ({
  productName: orderTitle(lines),
  quantity: lines.reduce((sum, { quantity }) => sum + quantity, 0),
  unitPriceCents: lines[0]?.unitPriceCents ?? 0,
})

/**
 * The order, if `secret` is its receipt token or the payment's client secret.
 * @throws AppError `not_found` for an unknown order and for a wrong secret alike.
 */
export async function getOrder(db: Db, { id, secret, signingSecret, at }: OrderAccess): Promise<Order> {
  const [[order], lineRows] = await db.batch([db.select().from(orders).where(eq(orders.id, id)), linesQuery(db, [id])])
  const hasAccess = await verifyOrderSecret(signingSecret, order ?? { id, clientSecretHash: null }, secret)
  if (!order || !hasAccess) throw orderNotFoundError()
  const lines = lineRows.map(toOrderLine)
  const status = statusAt(order, at)
  const ships = lines.some(({ kind }) => kind === 'shipped') && !order.shippingMethod?.isPickup
  const addressMissing = needsAddress(order, ships)
  return {
    id: order.id,
    status,
    message: orderMessage({ ...order, status }) ?? (addressMissing ? ADDRESS_MISSING_MESSAGE : null),
    lines,
    breakdown: toBreakdown(order),
    tax: toOrderTax(order),
    shippingMethod: order.shippingMethod,
    discountCode: order.promotionCode,
    productId: order.productId,
    ...summarizeLines(lines),
    imageUrl: lines[0]?.imageUrl ?? '',
    ships,
    discountCents: order.discountCents,
    amountCents: order.amountCents,
    refundedCents: order.refundedCents,
    createdAt: toIso(order.createdAt),
    paidAt: toIso(order.paidAt),
    reservedUntil: isPayable(status) ? toIso(order.reservedUntil) : null,
    fulfilment: order.fulfilment,
    carrier: order.carrier,
    tracking: order.tracking,
    email: order.email,
    shippingAddress: order.shippingAddress,
    addressMissing,
    test: order.isTest,
  }
}

/** SQL assignments that clear the holder, once the reservation has ended. */
export const CLEAR_RESERVATION_HOLDER = 'holder = NULL, device_hash = NULL, network_hash = NULL'

/** Whether an order with this status can still be paid. */
export const isPayable = (status: string): boolean => status === 'pending' || status === 'failed'

/** The status at `at`. An order is expired as soon as its reservation ends; a job stores the status later. */
export const statusAt = ({ status, reservedUntil }: Pick<OrderRow, 'status' | 'reservedUntil'>, at: Millis) =>
  isPayable(status) && (reservedUntil ?? 0) <= at ? 'expired' : status

const REFUND_MESSAGES = {
  late: 'Your payment came too late: your order was no longer reserved.',
  sold_out: 'Your payment came in time, but your order had sold out by the time we received it.',
  amount: 'The amount you paid was not the final total of this order.',
} as const satisfies Record<(typeof UNFULFILLABLE_REASONS)[number], string>

type MessageInput = Pick<
  OrderRow,
  'status' | 'refundReason' | 'refundedCents' | 'amountCents' | 'refundRejectedAt' | 'paidAt' | 'intentOpen'
>

/** Explains the order's status to the buyer; null if the status needs no explanation. */
export function orderMessage(order: MessageInput): string | null {
  const { status, refundReason, refundedCents, amountCents } = order
  if (order.refundRejectedAt !== null)
    return 'Your refund has not reached your card yet. We know about it and are working on it.'
  if (refundReason === 'late' || refundReason === 'sold_out' || refundReason === 'amount')
    return `${REFUND_MESSAGES[refundReason]} ${status === 'refunded' ? 'It has been' : 'It is being'} refunded in full.`
  if (refundReason === 'disputed' && status === 'refunded') return 'Your bank took this payment back at your request.'
  if (status === 'refunded') return 'This order has been refunded in full.'
  if (refundReason === 'requested') return 'This order is being refunded.'
  if (refundedCents > 0 && refundedCents < amountCents) return 'Part of this order has been refunded.'
  // While the intent is open, a late success webhook can still arrive.
  if (status === 'expired' && order.paidAt === null && !order.intentOpen)
    return 'It was not paid in time, and nothing has been charged.'
  return null
}

/**
 * The supporter's orders that were ever paid, newest first.
 * @throws AppError `bad_input` for an invalid cursor.
 */
export async function listUserOrders(
  db: Db,
  { userId, cursor, secret }: { userId: number; cursor: string | null; secret: string },
): Promise<{ rows: MyOrder[]; next: string | null }> {
  const results = await db
    .select({ order: orders, id: orders.id, at: orders.createdAt })
    .from(orders)
    .where(and(eq(orders.userId, userId), isNotNull(orders.paidAt), afterCursor(cursor)))
    .orderBy(desc(orders.createdAt), desc(orders.id))
    .limit(limits.ordersPageSize + 1)
  const { rows, next } = paginate(results, limits.ordersPageSize)
  const lineRows = await linesQuery(
    db,
    rows.map(({ id }) => id),
  )
  return {
    rows: await Promise.all(
      rows.map(async ({ order }) => ({
        id: order.id,
        status: order.status,
        productName: orderTitle(lineRows.map(({ line }) => line).filter(({ orderId }) => orderId === order.id)),
        quantity: order.units,
        amountCents: order.amountCents,
        refundedCents: order.refundedCents,
        fulfilment: order.fulfilment,
        createdAt: toIso(order.createdAt),
        receiptUrl: await receiptPath(secret, order.id),
      })),
    ),
    next,
  }
}

/** SQL condition of a page of orders. @throws AppError `bad_input` for an invalid cursor. */
function afterCursor(cursor: string | null) {
  if (cursor === null) return undefined
  const { at, id } = parseCursor(cursor)
  return sql`(${orders.createdAt}, ${orders.id}) < (${at}, ${id})`
}

/** UNFULFILLABLE_REASONS as an SQL list. */
export const UNFULFILLABLE_REASONS_SQL = `(${UNFULFILLABLE_REASONS.map((reason) => `'${reason}'`).join(', ')})`

/** SQL over `orders`: the money is being refunded, so the goods must not be sent. */
export const REFUND_PENDING = '(orders.refund_wanted_at IS NOT NULL AND orders.refund_refused_at IS NULL)'

/**
 * SQL over `orders`: a dispute or a bank's inquiry is open. Event times are whole seconds; one opened and closed in the
 * same second counts as closed.
 */
export const DISPUTE_OPEN =
  '(orders.dispute_opened_at IS NOT NULL AND orders.dispute_opened_at > coalesce(orders.dispute_closed_at, 0))'

/** The condition of DISPUTE_OPEN for one order. */
export const isDisputeOpen = ({ disputeOpenedAt, disputeClosedAt }: OrderRow): boolean =>
  disputeOpenedAt !== null && disputeOpenedAt > (disputeClosedAt ?? 0)

/** SQL over `orders`: has goods that are sent by post, not picked up at a show. */
export const SHIPS_GOODS = `(EXISTS (SELECT 1 FROM order_lines WHERE order_id = orders.id AND kind = 'shipped')
  AND coalesce(orders.shipping_method ->> 'isPickup', 0) = 0)`

/**
 * SQL over `orders`: must be shipped but has no address or no email. The checkout requires both, but a buyer can pay at
 * Stripe directly with the client secret.
 */
export const NEEDS_ADDRESS = `(orders.status = 'paid' AND ${SHIPS_GOODS}
  AND orders.fulfilment IN ('unfulfilled', 'packed') AND (orders.shipping_address IS NULL OR orders.email IS NULL) AND NOT ${REFUND_PENDING})`

type NeedsAddressInput = Pick<
  OrderRow,
  'status' | 'fulfilment' | 'shippingAddress' | 'email' | 'refundRequestedAt' | 'refundRejectedAt'
>

/** The condition of NEEDS_ADDRESS for one order. */
export const needsAddress = (order: NeedsAddressInput, ships: boolean): boolean =>
  order.status === 'paid' &&
  (order.fulfilment === 'unfulfilled' || order.fulfilment === 'packed') &&
  (order.refundRequestedAt === null || order.refundRejectedAt !== null) &&
  isUndeliverable(order, ships)

/** The order ships but lacks an address or an email. */
export const isUndeliverable = (order: Pick<OrderRow, 'shippingAddress' | 'email'>, ships: boolean): boolean =>
  ships && (order.shippingAddress === null || order.email === null)

const ADDRESS_MISSING_MESSAGE =
  'We need a little more before we can ship this. Please add it here, or contact us with your order number.'

/** The receipt link's token, derived from the order id and stored nowhere. */
const receiptToken = (secret: string, orderId: string): Promise<string> => sign(secret, 'order-receipt', orderId)

/** Path of the order's page. */
export const receiptPath = async (secret: string, orderId: string): Promise<string> =>
  `/orders/${encodeURIComponent(orderId)}?token=${await receiptToken(secret, orderId)}`

async function verifyOrderSecret(
  signingSecret: string,
  { id, clientSecretHash }: Pick<OrderRow, 'id' | 'clientSecretHash'>,
  candidate: string,
): Promise<boolean> {
  // Hashes are compared, so timing reveals nothing about the secret.
  const candidateHash = await sha256(candidate)
  return candidateHash === clientSecretHash || candidateHash === (await sha256(await receiptToken(signingSecret, id)))
}
