import { and, desc, eq, sql } from 'drizzle-orm'
import { recordAudit, recordAuditIfChanged } from '../audit/audit'
import {
  ADDRESS_MISSING,
  type AdminOrder,
  FULFILMENT,
  type Fulfilment,
  ORDER_STATUSES,
  type OrderStatus,
  type ParkedEvent,
  type ShippingAddress,
} from '../contract/orders'
import type { Db } from '../db/client'
import { type ListParams, type Page, paginate } from '../db/pagination'
import { AppError } from '../lib/app-error'
import { type Millis, toIso } from '../lib/clock'
import { maskEmail } from '../lib/email'
import { limits } from '../limits'
import { users } from '../users/users.table'
import {
  afterCursor,
  type LineRow,
  linesQuery,
  NEEDS_ADDRESS,
  needsAddress,
  orderNotFound,
  REFUND_PENDING,
  summarizeLines,
  toBreakdown,
  toOrderLine,
} from './orders'
import { orders } from './orders.table'

type OrderFilters = ListParams & { status: string | null; fulfilment: string | null; at: Millis }

const orderQuery = (db: Db) =>
  db
    .select({
      id: orders.id,
      at: orders.createdAt,
      order: orders,
      username: users.username,
    })
    .from(orders)
    .leftJoin(users, eq(users.id, orders.userId))
    .$dynamic()

/** A page of all orders, newest first. @throws AppError `bad_input` for an invalid filter or cursor. */
export async function listOrders(db: Db, { q, cursor, at, ...filters }: OrderFilters): Promise<Page<AdminOrder>> {
  const status = parseFilter<OrderStatus>(ORDER_STATUSES, filters.status)
  const fulfilmentFilter = parseFilter([...FULFILMENT, ADDRESS_MISSING], filters.fulfilment)
  const results = await orderQuery(db)
    .where(
      and(
        afterCursor(cursor),
        status && eq(orders.status, status),
        fulfilmentFilter &&
          (fulfilmentFilter === ADDRESS_MISSING ? sql.raw(NEEDS_ADDRESS) : eq(orders.fulfilment, fulfilmentFilter)),
        // instr, not LIKE: D1 limits patterns to 50 bytes, and % is a literal here.
        q === ''
          ? undefined
          : sql`instr(lower(${orders.id} || char(10) || (SELECT group_concat(product_name || ' ' || variant_name, char(10)) FROM order_lines WHERE order_id = ${orders.id}) || char(10) || coalesce(${users.username}, '') || char(10) || coalesce(${orders.email}, '')), lower(${q})) > 0`,
      ),
    )
    .orderBy(desc(orders.createdAt), desc(orders.id))
    .limit(limits.adminPageSize + 1)
  const { rows, next } = paginate(results, limits.adminPageSize)
  const lines = await linesQuery(
    db,
    rows.map(({ id }) => id),
  )
  return { rows: rows.map((row) => toAdminOrder(row, lines, at)), next }
}

/** @throws AppError `not_found`. */
export async function getAdminOrder(db: Db, id: string, at: Millis): Promise<AdminOrder> {
  // Not a batch: drizzle loses columns of one name in a batch.
  const [[row], lines] = await Promise.all([orderQuery(db).where(eq(orders.id, id)), linesQuery(db, [id])])
  if (!row) throw orderNotFound()
  return toAdminOrder(row, lines, at)
}

function parseFilter<T extends string>(allowed: readonly T[], value: string | null): T | undefined {
  if (value === null || value === '') return undefined
  const match = allowed.find((candidate) => candidate === value)
  if (!match) throw new AppError('bad_input', 'An order cannot have that status.')
  return match
}

type OrderRow = { order: typeof orders.$inferSelect; username: string | null }

/** `lineRows` are those of several orders. */
function toAdminOrder({ order, username }: OrderRow, lineRows: readonly LineRow[], at: Millis): AdminOrder {
  const rows = lineRows.filter(({ line }) => line.orderId === order.id)
  const lines = rows.map((row) => ({
    ...toOrderLine(row),
    sku: row.sku ?? '',
    restockedQuantity: row.line.restockedQuantity,
  }))
  const ships = lines.some(({ kind }) => kind === 'shipped') && !order.shippingMethod?.isPickup
  return {
    id: order.id,
    status: order.status,
    refundReason: order.refundReason,
    fulfilment: order.fulfilment,
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
    addressMissing: needsAddress(order, ships),
    addressAddedAt: toIso(order.addressAddedAt),
    createdAt: toIso(order.createdAt),
    paidAt: toIso(order.paidAt),
    refundRefused: order.refundRefusedAt !== null,
    refundable:
      order.paymentIntentId !== null &&
      (order.refundRefusedAt !== null || (order.status === 'paid' && order.refundWantedAt === null)),
    test: order.isTest,
  }
}

/** The buyer's unmasked email and address, with an audit entry. @throws AppError `not_found`. */
export async function revealBuyer(
  db: Db,
  { id, actorId, at }: { id: string; actorId: number; at: Millis },
): Promise<{ email: string | null; shippingAddress: ShippingAddress | null }> {
  const [row] = await db
    .select({ email: orders.email, shippingAddress: orders.shippingAddress })
    .from(orders)
    .where(eq(orders.id, id))
  if (!row) throw orderNotFound()
  await recordAudit(db, { actorId, action: 'order.revealed', subject: `order:${id}`, at }).run()
  return row
}

/** SQL: not shipped yet and being refunded, so it must not be shipped. */
const BLOCKED_BY_REFUND = `(fulfilment IN ('unfulfilled', 'packed') AND ${REFUND_PENDING})`

type FulfilmentUpdate = {
  id: string
  fulfilment: Fulfilment
  tracking: string | undefined
  actorId: number
  at: Millis
}

/**
 * Updates the shipment of a paid order, with an audit entry.
 * @throws AppError `not_found`; `conflict` unless the order is paid and not being refunded.
 */
export async function updateFulfilment(
  db: Db,
  { id, fulfilment, tracking, actorId, at }: FulfilmentUpdate,
): Promise<AdminOrder> {
  const d1 = db.$client
  const [, , order] = await d1.batch([
    d1
      .prepare(
        `UPDATE orders SET fulfilment = ?2, tracking = coalesce(?3, tracking),
           shipped_at = iif(?2 = 'shipped' AND fulfilment <> 'shipped', ?4, shipped_at)
         WHERE id = ?1 AND status = 'paid' AND NOT ${BLOCKED_BY_REFUND} AND (fulfilment <> ?2 OR tracking <> coalesce(?3, tracking))`,
      )
      .bind(id, fulfilment, tracking ?? null, at),
    recordAuditIfChanged(db, {
      actorId,
      action: 'order.fulfilment',
      subject: `order:${id}`,
      detail: { fulfilment },
      at,
    }),
    d1.prepare(`SELECT status = 'paid' AS paid, ${BLOCKED_BY_REFUND} AS blocked FROM orders WHERE id = ?1`).bind(id),
  ])
  const [row] = (order?.results ?? []) as { paid: number; blocked: number }[]
  if (!row) throw orderNotFound()
  if (!row.paid) throw new AppError('conflict', 'Only a paid order can be shipped.')
  if (row.blocked) throw new AppError('conflict', 'This order is being refunded. Please do not ship it.')
  return getAdminOrder(db, id, at)
}

const REFUND_FAILED_REASON = 'The refund of this order was rejected or failed. Open the order to try again.'

/** What an administrator must check: rejected refunds, then parked events; newest first. */
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
export async function dismissEvent(
  db: Db,
  { id, actorId, at }: { id: string; actorId: number; at: Millis },
): Promise<void> {
  const d1 = db.$client
  const [dismissed] = await d1.batch([
    d1.prepare(`UPDATE payment_events SET state = 'ignored' WHERE id = ?1 AND state = 'parked' RETURNING id`).bind(id),
    recordAuditIfChanged(db, { actorId, action: 'payment.seen', subject: `payment_event:${id}`, at }),
  ])
  if (dismissed?.results.length !== 1) throw new AppError('not_found', 'That payment is no longer on the list.')
}
