import { asc, sql } from 'drizzle-orm'
import { recordAuditIfChanged } from '../audit/audit'
import type { Fulfilment, ShipmentResult } from '../contract/orders'
import type { Actor, Deps } from '../deps'
import { enqueueEmail } from '../email/outbox'
import { AppError } from '../lib/app-error'
import type { Millis } from '../lib/clock'
import { variantTitle } from '../products/products'
import { siteQuery } from '../site/site'
import { HAS_GOODS, SHIPPABLE } from './admin-list'
import { shippedEmail } from './emails'
import { DISPUTE_OPEN, orderNotFoundError, REFUND_PENDING, receiptPath, SHIPS_GOODS } from './orders'
import { orderLines, orders } from './orders.table'

type ShipDeps = Pick<Deps, 'db' | 'secret' | 'origin'>
type Shipment = { id: string; carrier?: string | undefined; tracking?: string | undefined }

/** SQL over `orders`: not shipped yet and being refunded, so it must not be shipped. */
const BLOCKED_BY_REFUND = `(orders.fulfilment IN ('unfulfilled', 'packed') AND ${REFUND_PENDING})`
/** SQL over `orders`: not shipped yet, with an open dispute. */
const BLOCKED_BY_DISPUTE = `(orders.fulfilment IN ('unfulfilled', 'packed') AND ${DISPUTE_OPEN})`
const DISPUTED_MESSAGE =
  'The buyer’s bank disputes or questions this payment. Please hold the shipment until that is settled.'

const UNKNOWN_ORDER_MESSAGE = 'That order does not exist.'

/** SQL over `orders`: why an order of a bulk request cannot be marked as shipped; NULL if it can. */
const BULK_ERROR = `CASE
  WHEN orders.fulfilment IN ('shipped', 'delivered') THEN 'This order has been shipped already.'
  WHEN orders.status <> 'paid' THEN 'Only a paid order can be shipped.'
  WHEN ${REFUND_PENDING} THEN 'This order is being refunded. Please do not ship it.'
  WHEN ${DISPUTE_OPEN} THEN '${DISPUTED_MESSAGE}'
  WHEN NOT ${HAS_GOODS} THEN 'There is nothing to ship in this order.'
  WHEN ${SHIPS_GOODS} AND orders.shipping_address IS NULL THEN 'This order has no address yet.'
END`

/**
 * Marks orders as shipped, each with an audit entry and one email to its buyer. Orders that cannot be shipped stay
 * unchanged; their result has the reason.
 * @throws AppError `not_found` if none of them exists.
 */
export async function shipOrders(
  deps: ShipDeps,
  { shipments, ...actor }: Actor & { shipments: readonly Shipment[] },
): Promise<ShipmentResult[]> {
  const d1 = deps.db.$client
  const emails = await shippedEmails(deps, shipments, { at: actor.at, condition: `${BULK_ERROR} IS NULL` })
  const results = await d1.batch<{ id: string; error: string | null }>([
    d1
      .prepare(
        `SELECT requested.value ->> 'id' AS id, iif(orders.id IS NULL, '${UNKNOWN_ORDER_MESSAGE}', ${BULK_ERROR}) AS error
         FROM json_each(?1) requested LEFT JOIN orders ON orders.id = requested.value ->> 'id' ORDER BY requested.key`,
      )
      .bind(JSON.stringify(shipments)),
    ...emails,
    ...shipments.flatMap(({ id, carrier, tracking }) => [
      d1
        .prepare(
          `UPDATE orders SET fulfilment = 'shipped', shipped_at = ?2, carrier = coalesce(?3, carrier), tracking = coalesce(?4, tracking)
           WHERE id = ?1 AND ${BULK_ERROR} IS NULL`,
        )
        .bind(id, actor.at, carrier ?? null, tracking ?? null),
      auditFulfilment(deps, id, 'shipped', actor),
    ]),
  ])
  const shipmentResults = results[0]?.results ?? []
  if (shipmentResults.every(({ error }) => error === UNKNOWN_ORDER_MESSAGE)) throw orderNotFoundError()
  return shipmentResults
}

type FulfilmentUpdate = Shipment & { fulfilment: Fulfilment }

/**
 * Updates the shipment of a paid order, with an audit entry; the buyer is emailed when it is first shipped.
 * @throws AppError `not_found`; `conflict` if the order is not paid or is being refunded, or if it is to be marked as
 *   shipped or delivered during a dispute.
 */
export async function updateFulfilment(
  deps: ShipDeps,
  { id, fulfilment, carrier, tracking, ...actor }: FulfilmentUpdate & Actor,
): Promise<void> {
  const d1 = deps.db.$client
  const emails =
    fulfilment === 'shipped'
      ? await shippedEmails(deps, [{ id, carrier, tracking }], { at: actor.at, condition: SHIPPABLE })
      : []
  const isShipping = fulfilment === 'shipped' || fulfilment === 'delivered'
  const results = await d1.batch<{ paid: number; blocked: number; disputed: number }>([
    d1
      .prepare(
        `SELECT status = 'paid' AS paid, ${BLOCKED_BY_REFUND} AS blocked, ${BLOCKED_BY_DISPUTE} AS disputed FROM orders WHERE id = ?1`,
      )
      .bind(id),
    ...emails,
    d1
      .prepare(
        `UPDATE orders SET fulfilment = ?2, carrier = coalesce(?3, carrier), tracking = coalesce(?4, tracking),
           shipped_at = iif(?2 = 'shipped' AND fulfilment <> 'shipped', ?5, shipped_at)
         WHERE id = ?1 AND status = 'paid' AND NOT ${BLOCKED_BY_REFUND}${isShipping ? ` AND NOT ${BLOCKED_BY_DISPUTE}` : ''}
           AND (fulfilment <> ?2 OR carrier <> coalesce(?3, carrier) OR tracking <> coalesce(?4, tracking))`,
      )
      .bind(id, fulfilment, carrier ?? null, tracking ?? null, actor.at),
    auditFulfilment(deps, id, fulfilment, actor),
  ])
  const [row] = results[0]?.results ?? []
  if (!row) throw orderNotFoundError()
  if (!row.paid) throw new AppError('conflict', 'Only a paid order can be shipped.')
  if (row.blocked) throw new AppError('conflict', 'This order is being refunded. Please do not ship it.')
  if (row.disputed && isShipping) throw new AppError('conflict', DISPUTED_MESSAGE)
}

const auditFulfilment = ({ db }: ShipDeps, id: string, fulfilment: Fulfilment, actor: Actor) =>
  recordAuditIfChanged(db, { ...actor, action: 'order.fulfilment', subject: `order:${id}`, detail: { fulfilment } })

/** Statements that email the buyers, for the batch that ships their orders. They must precede the batch's updates. */
async function shippedEmails(
  { db, secret, origin }: ShipDeps,
  shipments: readonly Shipment[],
  { at, condition }: { at: Millis; condition: string },
): Promise<D1PreparedStatement[]> {
  const ids = sql`(SELECT value ->> 'id' FROM json_each(${JSON.stringify(shipments)}))`
  const [rows, lines, [site]] = await db.batch([
    db.select().from(orders).where(sql`${orders.id} IN ${ids}`),
    db.select().from(orderLines).where(sql`${orderLines.orderId} IN ${ids}`).orderBy(asc(orderLines.position)),
    siteQuery(db),
  ])
  if (!site) return []
  const statements = shipments.map(async ({ id, carrier, tracking }) => {
    const order = rows.find((row) => row.id === id)
    if (!order?.email) return []
    const goods = lines.filter(
      (line) => line.orderId === id && line.kind !== 'digital' && line.quantity > line.refundedQuantity,
    )
    const hasOnlyPickups = goods.length > 0 && goods.every(({ kind }) => kind === 'pickup')
    const email = shippedEmail({
      siteName: site.name,
      orderId: id,
      items: goods.map((line) => ({
        name: variantTitle(line.productName, line.variantName),
        quantity: line.quantity - line.refundedQuantity,
      })),
      carrier: carrier ?? order.carrier,
      tracking: tracking ?? order.tracking,
      isPickup: hasOnlyPickups || order.shippingMethod?.isPickup === true,
      url: `${origin}${await receiptPath(secret, id)}`,
      isTest: order.isTest,
    })
    return [
      enqueueEmail(db, {
        to: order.email,
        email,
        dedupeKey: `shipped:${id}`,
        at,
        when: sql`EXISTS (SELECT 1 FROM orders WHERE orders.id = ${id} AND ${sql.raw(condition)})`,
      }),
    ]
  })
  return (await Promise.all(statements)).flat()
}
