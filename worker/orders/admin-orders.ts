import { eq, sql } from 'drizzle-orm'
import { recordAudit, recordAuditIfChanged } from '../audit/audit'
import type { ShippingAddress } from '../contract/checkout'
import type { AdminOrder, PackingSlip, ParkedEvent } from '../contract/orders'
import type { Db } from '../db/client'
import { type ListQuery, readList } from '../db/list'
import type { Page } from '../db/pagination'
import type { Actor } from '../deps'
import { AppError } from '../lib/app-error'
import { type Millis, toIso } from '../lib/clock'
import { maskEmail } from '../lib/email'
import { variantTitle } from '../products/products'
import { users } from '../users/users.table'
import { orderList } from './admin-list'
import {
  isDisputeOpen,
  type LineRow,
  linesQuery,
  needsAddress,
  orderNotFoundError,
  summarizeLines,
  toBreakdown,
  toOrderLine,
} from './orders'
import { orders } from './orders.table'

const orderQuery = (db: Db) =>
  db
    .select({
      order: orders,
      username: users.username,
    })
    .from(orders)
    .leftJoin(users, eq(users.id, orders.userId))

/** A page of all orders. @throws AppError `bad_input` for an unknown filter, sort or cursor. */
export async function listOrders(db: Db, query: ListQuery, at: Millis): Promise<Page<AdminOrder>> {
  const { rows: ids, ...page } = await readList(db, orderList(at), query)
  return { rows: await readAdminOrders(db, ids, at), ...page }
}

/** The orders with these ids, in the sequence of `ids`; unknown ones are left out. */
export async function readAdminOrders(db: Db, ids: readonly string[], at: Millis): Promise<AdminOrder[]> {
  const [rows, lines] = await Promise.all([
    orderQuery(db).where(sql`${orders.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`),
    linesQuery(db, ids),
  ])
  const byId = new Map(rows.map((row) => [row.order.id, row]))
  return ids.flatMap((id) => {
    const row = byId.get(id)
    return row ? [toAdminOrder(row, lines, at)] : []
  })
}

/** @throws AppError `not_found`. */
export async function getAdminOrder(db: Db, id: string, at: Millis): Promise<AdminOrder> {
  const [order] = await readAdminOrders(db, [id], at)
  if (!order) throw orderNotFoundError()
  return order
}

type OrderRow = { order: typeof orders.$inferSelect; username: string | null }

/** `lineRows` may include lines of other orders. */
function toAdminOrder({ order, username }: OrderRow, lineRows: readonly LineRow[], at: Millis): AdminOrder {
  const rows = lineRows.filter(({ line }) => line.orderId === order.id)
  const lines = rows.map((row) => ({
    ...toOrderLine(row),
    sku: row.sku ?? '',
    restockedQuantity: row.line.restockedQuantity,
    items: (JSON.parse(row.items) as { name: string; option: string; quantity: number }[]).map(
      ({ name, option, quantity }) => ({ name: variantTitle(name, option), quantity }),
    ),
  }))
  const ships = lines.some(({ kind }) => kind === 'shipped') && !order.shippingMethod?.isPickup
  return {
    id: order.id,
    status: order.status,
    refundReason: order.refundReason,
    fulfilment: order.fulfilment,
    carrier: order.carrier,
    tracking: order.tracking,
    lines,
    breakdown: toBreakdown(order),
    shippingMethod: order.shippingMethod,
    productId: order.productId,
    ...summarizeLines(lines),
    discountCents: order.discountCents,
    amountCents: order.amountCents,
    refundedCents: order.refundedCents,
    refundedShippingCents: order.refundedShippingCents,
    discountCode: order.promotionCode,
    promotionCode: order.promotionCode,
    isPreorder: rows.some(({ releasesAt }) => releasesAt !== null && releasesAt > at),
    username,
    email: order.email === null ? null : maskEmail(order.email),
    hasAddress: order.shippingAddress !== null,
    taxLocation: order.taxLocation && { country: order.taxLocation.country, state: order.taxLocation.state },
    addressMissing: needsAddress(order, ships),
    addressAddedAt: toIso(order.addressAddedAt),
    createdAt: toIso(order.createdAt),
    paidAt: toIso(order.paidAt),
    refundRefused: order.refundRejectedAt !== null,
    refundable:
      order.paymentIntentId !== null &&
      (order.refundRejectedAt !== null || (order.status === 'paid' && order.refundRequestedAt === null)),
    dispute: isDisputeOpen(order)
      ? { openedAt: toIso(order.disputeOpenedAt ?? 0), respondBy: toIso(order.disputeRespondBy) }
      : null,
    test: order.isTest,
  }
}

type SlipsRequest = Actor & { ids: readonly string[] }

/** Orders with their addresses, with an audit entry for each. @throws AppError `not_found` if none exists. */
export async function readPackingSlips(db: Db, { ids, actorId, at }: SlipsRequest): Promise<PackingSlip[]> {
  const [found, addresses] = await Promise.all([
    readAdminOrders(db, [...new Set(ids)], at),
    db
      .select({ id: orders.id, shippingAddress: orders.shippingAddress })
      .from(orders)
      .where(sql`${orders.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`),
  ])
  if (found.length === 0) throw orderNotFoundError()
  await db.$client.batch(
    found.map(({ id }) => recordAudit(db, { actorId, action: 'order.printed', subject: `order:${id}`, at })),
  )
  const byId = new Map(addresses.map(({ id, shippingAddress }) => [id, shippingAddress]))
  return found.map((order) => ({ order, shippingAddress: byId.get(order.id) ?? null }))
}

/** The buyer's unmasked email and address, with an audit entry. @throws AppError `not_found`. */
export async function revealBuyer(
  db: Db,
  { id, actorId, at }: Actor & { id: string },
): Promise<{ email: string | null; shippingAddress: ShippingAddress | null }> {
  const [row] = await db
    .select({ email: orders.email, shippingAddress: orders.shippingAddress })
    .from(orders)
    .where(eq(orders.id, id))
  if (!row) throw orderNotFoundError()
  await recordAudit(db, { actorId, action: 'order.revealed', subject: `order:${id}`, at }).run()
  return row
}

const REFUND_FAILED_REASON = 'The refund of this order was rejected or failed. Open the order to try again.'

/** Payment events for manual review: rejected refunds, then parked events; newest first. */
export async function listParkedEvents(db: Db): Promise<ParkedEvent[]> {
  const { results } = await db.$client
    .prepare(
      `SELECT id, type, coalesce(reason, '') AS reason, order_id AS orderId, payment_intent_id AS paymentIntentId,
         received_at AS at, 1 AS dismissable FROM payment_events WHERE state = 'parked'
       UNION ALL SELECT 'refund:' || id, 'refund.refused', ?1, id, payment_intent_id, refund_refused_at, 0
       FROM orders WHERE refund_refused_at IS NOT NULL ORDER BY dismissable, at DESC LIMIT 50`,
    )
    .bind(REFUND_FAILED_REASON)
    .all<Omit<ParkedEvent, 'receivedAt' | 'dismissable'> & { at: Millis; dismissable: number }>()
  return results.map(({ at, dismissable, ...event }) => ({
    ...event,
    receivedAt: toIso(at),
    dismissable: dismissable === 1,
  }))
}

/** Removes a parked event from the list, with an audit entry. @throws AppError `not_found`. */
export async function dismissEvent(db: Db, { id, actorId, at }: Actor & { id: string }): Promise<void> {
  const d1 = db.$client
  const [dismissed] = await d1.batch([
    d1.prepare(`UPDATE payment_events SET state = 'ignored' WHERE id = ?1 AND state = 'parked' RETURNING id`).bind(id),
    recordAuditIfChanged(db, { actorId, action: 'payment.seen', subject: `payment_event:${id}`, at }),
  ])
  if (dismissed?.results.length !== 1) throw new AppError('not_found', 'That payment is no longer on the list.')
}
