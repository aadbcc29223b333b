import { and, desc, eq, sql } from 'drizzle-orm'
import { recordAudit, recordAuditIfChanged } from '../audit/audit'
import { ADDRESS_MISSING, type AdminOrder, type ParkedEvent } from '../contract/admin-orders'
import { FULFILMENT, type Fulfilment, ORDER_STATUSES, type OrderStatus, type ShippingAddress } from '../contract/orders'
import type { Db } from '../db/client'
import { AppError } from '../lib/app-error'
import type { Millis } from '../lib/clock'
import { maskEmail } from '../lib/email'
import { limits } from '../limits'
import { products } from '../products/products.table'
import { users } from '../users/users.table'
import { NEEDS_ADDRESS, needsAddress, REFUND_PENDING } from './missing-address'
import { afterCursor, orderCursor, orderNotFound } from './orders'
import { orders } from './orders.table'

// What the desk sees of orders and does with them.

type OrderFilters = { q: string | null; status: string | null; fulfilment: string | null; cursor: string | null }

const orderQuery = (db: Db) =>
  db
    .select({ order: orders, productName: products.name, ships: products.ships, username: users.username })
    .from(orders)
    .innerJoin(products, eq(products.id, orders.productId))
    .leftJoin(users, eq(users.id, orders.userId))
    .$dynamic()

/** A page of all orders, newest first. @throws AppError `bad_input` for a filter or cursor that is none. */
export async function listOrders(db: Db, filters: OrderFilters): Promise<{ list: AdminOrder[]; next: string | null }> {
  const status = parseFilter<OrderStatus>(ORDER_STATUSES, filters.status)
  const fulfilmentFilter = parseFilter([...FULFILMENT, ADDRESS_MISSING], filters.fulfilment)
  const q = (filters.q ?? '').trim().slice(0, 100)
  const rows = await orderQuery(db)
    .where(
      and(
        afterCursor(filters.cursor),
        status && eq(orders.status, status),
        fulfilmentFilter &&
          (fulfilmentFilter === ADDRESS_MISSING ? sql.raw(NEEDS_ADDRESS) : eq(orders.fulfilment, fulfilmentFilter)),
        // instr, not LIKE: D1 refuses patterns of more than 50 bytes, and % is a letter here like any other.
        q === ''
          ? undefined
          : sql`instr(lower(${orders.id} || char(10) || ${products.name} || char(10) || coalesce(${users.username}, '') || char(10) || coalesce(${orders.email}, '')), lower(${q})) > 0`,
      ),
    )
    .orderBy(desc(orders.createdAt), desc(orders.id))
    .limit(limits.ordersPageSize + 1)
  const page = rows.slice(0, limits.ordersPageSize)
  return { list: page.map(toAdminOrder), next: rows.length > page.length ? orderCursor(page.at(-1)?.order) : null }
}

/** One order as the desk lists it. @throws AppError `not_found`. */
export async function getAdminOrder(db: Db, id: string): Promise<AdminOrder> {
  const [row] = await orderQuery(db).where(eq(orders.id, id))
  if (!row) throw orderNotFound()
  return toAdminOrder(row)
}

function parseFilter<T extends string>(allowed: readonly T[], value: string | null): T | undefined {
  if (value === null || value === '') return undefined
  const match = allowed.find((candidate) => candidate === value)
  if (!match) throw new AppError('bad_input', 'That is not a state that an order can have.')
  return match
}

type OrderRow = { order: typeof orders.$inferSelect; productName: string; ships: boolean; username: string | null }

function toAdminOrder({ order, productName, ships, username }: OrderRow): AdminOrder {
  const { id, status, refundReason, fulfilment, tracking, productId, quantity, unitPriceCents, discountCents } = order
  const { amountCents, refundedCents, promotionCode } = order
  return {
    ...{ id, status, refundReason, fulfilment, tracking, productId, productName, quantity, unitPriceCents },
    ...{ discountCents, amountCents, refundedCents, promotionCode, username },
    email: order.email === null ? null : maskEmail(order.email),
    hasAddress: order.shippingAddress !== null,
    addressMissing: needsAddress(order, ships),
    addressAddedAt: order.addressAddedAt === null ? null : new Date(order.addressAddedAt).toISOString(),
    createdAt: new Date(order.createdAt).toISOString(),
    paidAt: order.paidAt === null ? null : new Date(order.paidAt).toISOString(),
    refundRefused: order.refundRefusedAt !== null,
    refundable:
      order.paymentIntentId !== null &&
      (order.refundRefusedAt !== null || (status === 'paid' && order.refundWantedAt === null)),
    test: order.isTest,
  }
}

/** Who an order goes to, in full, with a line of the audit. @throws AppError `not_found`. */
export async function revealBuyer(
  db: Db,
  { id, actorId, at }: { id: string; actorId: number; at: Millis },
): Promise<{ email: string | null; shippingAddress: ShippingAddress | null }> {
  const [row] = await db
    .select({ email: orders.email, shippingAddress: orders.shippingAddress })
    .from(orders)
    .where(eq(orders.id, id))
  if (!row) throw orderNotFound()
  await recordAudit(db.$client, { actorId, action: 'order.revealed', subject: `order:${id}`, at }).run()
  return row
}

/** SQL: it has not left, and is not to. */
const BLOCKED_BY_REFUND = `(fulfilment IN ('unfulfilled', 'packed') AND ${REFUND_PENDING})`

type FulfilmentUpdate = {
  id: string
  fulfilment: Fulfilment
  tracking: string | undefined
  actorId: number
  at: Millis
}

/**
 * Says where the parcel of a paid order is, with a line of the audit. What is being refunded does not leave any more.
 * @throws AppError `not_found`, `conflict`.
 */
export async function updateFulfilment(
  db: Db,
  { id, fulfilment, tracking, actorId, at }: FulfilmentUpdate,
): Promise<AdminOrder> {
  const d1 = db.$client
  const [, , paid] = await d1.batch([
    d1
      .prepare(
        `UPDATE orders SET fulfilment = ?2, tracking = coalesce(?3, tracking),
           shipped_at = iif(?2 = 'shipped' AND fulfilment <> 'shipped', ?4, shipped_at)
         WHERE id = ?1 AND status = 'paid' AND NOT ${BLOCKED_BY_REFUND} AND (fulfilment <> ?2 OR tracking <> coalesce(?3, tracking))`,
      )
      .bind(id, fulfilment, tracking ?? null, at),
    recordAuditIfChanged(d1, {
      actorId,
      action: 'order.fulfilment',
      subject: `order:${id}`,
      detail: { fulfilment },
      at,
    }),
    d1.prepare(`SELECT status = 'paid' AS paid, ${BLOCKED_BY_REFUND} AS stays FROM orders WHERE id = ?1`).bind(id),
  ])
  const [row] = (paid?.results ?? []) as { paid: number; stays: number }[]
  if (!row) throw orderNotFound()
  if (!row.paid) throw new AppError('conflict', 'Only a paid order is sent.')
  if (row.stays) throw new AppError('conflict', 'The money of this order is going back: please do not send it.')
  return getAdminOrder(db, id)
}

const REFUND_FAILED_REASON =
  'The refund of this order was refused, or failed on its way. Open the order to send it again.'

/** What a person has to look at: refunds that were refused, then events that fit nothing of ours; newest first. */
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
    receivedAt: new Date(at).toISOString(),
    dismissable: dismissable === 1,
  }))
}

/** A person has looked at an event: it leaves the list, with a line of the audit. @throws AppError `not_found`. */
export async function dismissEvent(
  db: Db,
  { id, actorId, at }: { id: string; actorId: number; at: Millis },
): Promise<void> {
  const d1 = db.$client
  const [dismissed] = await d1.batch([
    d1.prepare(`UPDATE payment_events SET state = 'ignored' WHERE id = ?1 AND state = 'parked' RETURNING id`).bind(id),
    recordAuditIfChanged(d1, { actorId, action: 'payment.seen', subject: `payment_event:${id}`, at }),
  ])
  if (dismissed?.results.length !== 1) throw new AppError('not_found', 'That payment is not on the list any more.')
}
