import { type SQL, sql } from 'drizzle-orm'
import { ADDRESS_MISSING, FULFILMENT_STATUSES, ORDER_STATUSES, type OrderTab } from '../contract/orders'
import { columnFilter, conditionFilter, daysFilter, type ListDefinition, matchesSearch } from '../db/list'
import type { Millis } from '../lib/clock'
import { DISPUTE_OPEN, NEEDS_ADDRESS, REFUND_PENDING } from './orders'

/** SQL over `orders`: paid, not shipped, and not being refunded. */
const TO_SHIP = `(orders.status = 'paid' AND orders.fulfilment IN ('unfulfilled', 'packed') AND NOT ${REFUND_PENDING})`
/** SQL over `orders`: can be marked as shipped. A dispute pauses the shipment. */
export const SHIPPABLE = `(${TO_SHIP} AND NOT ${DISPUTE_OPEN})`
/** SQL over `orders`: has goods to ship or to pick up at a show that are not refunded. */
export const HAS_GOODS = `EXISTS (SELECT 1 FROM order_lines line
  WHERE line.order_id = orders.id AND line.kind <> 'digital' AND line.quantity > line.refunded_quantity)`
const isPreorder = (at: Millis) => sql`EXISTS (
  SELECT 1 FROM order_lines line JOIN products product ON product.id = line.product_id
  WHERE line.order_id = orders.id AND line.quantity > line.refunded_quantity AND product.releases_at > ${at})`

/** SQL over `orders`: can be packed and sent now. A pre-order waits for its release. */
export const isToPack = (at: Millis): SQL =>
  sql`(${sql.raw(SHIPPABLE)} AND ${sql.raw(HAS_GOODS)} AND NOT ${isPreorder(at)})`

const tabConditions = (at: Millis) =>
  ({
    pack: isToPack(at),
    shipped: sql`(orders.fulfilment IN ('shipped', 'delivered') AND orders.paid_at IS NOT NULL)`,
    preorders: sql`(${sql.raw(TO_SHIP)} AND ${isPreorder(at)})`,
    refunds: sql`(orders.refunded_cents > 0 OR orders.refund_wanted_at IS NOT NULL
      OR EXISTS (SELECT 1 FROM order_refunds WHERE order_refunds.order_id = orders.id AND refused_at IS NULL))`,
    all: sql`true`,
  }) satisfies Record<OrderTab, unknown>

const PRODUCT_NAMES = sql`(SELECT group_concat(product_name || ' ' || variant_name, char(10)) FROM order_lines
  WHERE order_id = orders.id)`

/** The ids of all orders. */
export const orderList = (at: Millis): ListDefinition<{ id: string }, string> => ({
  select: sql`orders.id`,
  from: sql`orders LEFT JOIN users ON users.id = orders.user_id`,
  id: sql`orders.id`,
  sorts: { placed: sql`orders.created_at`, amount: sql`orders.amount_cents` },
  defaultSort: '-placed',
  filters: {
    tab: conditionFilter(tabConditions(at)),
    status: columnFilter(sql`orders.status`, ORDER_STATUSES),
    fulfilment: conditionFilter({
      ...Object.fromEntries(FULFILMENT_STATUSES.map((value) => [value, sql`orders.fulfilment = ${value}`])),
      [ADDRESS_MISSING]: sql.raw(NEEDS_ADDRESS),
    }),
    placed: daysFilter(sql`orders.created_at`),
  },
  search: (q) => ({
    where: matchesSearch(
      { texts: [sql`orders.id`, PRODUCT_NAMES, sql`users.username`], emails: [sql`lower(orders.email)`] },
      q,
    ),
  }),
  toItem: ({ id }) => id,
})
