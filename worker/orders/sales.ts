import { type SQL, sql } from 'drizzle-orm'
import type { Compared, Sales } from '../contract/sales'
import { type Db, prepare } from '../db/client'
import type { DayRange } from '../db/day-range'

// Raw SQL: money moves on several days of an order, each read once and grouped by day in the artist's time zone.

/** SQL over `orders o`: paid and not refunded as unfulfillable. */
const IS_SALE = sql`(o.paid_at IS NOT NULL AND o.status IN ('paid', 'refunded')
  AND coalesce(o.refund_reason, '') NOT IN ('late', 'sold_out', 'amount'))`
const PARTIAL_REFUNDS = sql`(SELECT coalesce(sum(amount_cents), 0) FROM order_refunds WHERE order_id = o.id AND sent_at IS NOT NULL)`
/** SQL: when the money that no partial refund accounts for was refunded. */
const OTHER_REFUND_AT = sql`coalesce(o.refunded_at, (SELECT max(received_at) FROM payment_events e
  WHERE e.order_id = o.id AND e.state = 'applied' AND e.type LIKE '%refund%'), o.paid_at)`

/** Each payment, refund and dispute of a sale: order, time, cents, and 1 for a payment. */
const MOVEMENTS = sql`
  SELECT o.id, o.paid_at AS at, o.amount_cents AS cents, 1 AS sold FROM orders o WHERE ${IS_SALE}
  UNION ALL SELECT o.id, r.sent_at, -r.amount_cents, 0 FROM order_refunds r JOIN orders o ON o.id = r.order_id
    WHERE ${IS_SALE} AND r.sent_at IS NOT NULL
  UNION ALL SELECT o.id, ${OTHER_REFUND_AT}, ${PARTIAL_REFUNDS} - o.refunded_cents, 0 FROM orders o
    WHERE ${IS_SALE} AND o.refunded_cents > ${PARTIAL_REFUNDS}
  UNION ALL SELECT o.id, iif(turn.value = 1, o.dispute_won_at, o.disputed_at), turn.value * o.disputed_cents, 0
    FROM orders o JOIN json_each('[-1,1]') turn WHERE ${IS_SALE} AND o.disputed_cents > 0 AND o.refunded_cents = 0`

/** Name of the zone of the method that the buyer chose. */
const ZONE = sql`CASE WHEN o.shipping_method IS NULL THEN 'No delivery'
  WHEN o.shipping_method ->> 'isPickup' THEN 'Pick-up at a show'
  ELSE coalesce((SELECT z.name FROM shipping_zones z JOIN json_each(z.methods) m
    WHERE m.value ->> 'id' = o.shipping_method ->> 'id' LIMIT 1), 'Former zones') END`

const LINE_CENTS = sql`(l.quantity * l.unit_price_cents - l.discount_cents + iif(o.tax_included, 0, l.tax_cents))`
/** Of a line, before its order was refunded as a whole. */
const refundedEarlier = (field: 'cents' | 'quantity') =>
  sql`(SELECT coalesce(sum(part.value ->> ${sql.raw(`'${field}'`)}), 0) FROM order_refunds r JOIN json_each(r.lines) part
    WHERE r.order_id = o.id AND r.sent_at IS NOT NULL AND part.value ->> 'lineId' = l.id)`
/** As MOVEMENTS, of each line: without delivery. */
const LINE_MOVEMENTS = sql`
  SELECT o.id, o.paid_at AS at, l.product_id, ${LINE_CENTS} AS cents, l.quantity AS units, 1 AS sold
    FROM orders o JOIN order_lines l ON l.order_id = o.id WHERE ${IS_SALE}
  UNION ALL SELECT o.id, r.sent_at, l.product_id, -(part.value ->> 'cents'), -(part.value ->> 'quantity'), 0
    FROM order_refunds r JOIN json_each(r.lines) part JOIN order_lines l ON l.id = part.value ->> 'lineId'
    JOIN orders o ON o.id = r.order_id WHERE ${IS_SALE} AND r.sent_at IS NOT NULL
  UNION ALL SELECT o.id, ${OTHER_REFUND_AT}, l.product_id, ${refundedEarlier('cents')} - ${LINE_CENTS},
    ${refundedEarlier('quantity')} - l.quantity, 0
    FROM orders o JOIN order_lines l ON l.order_id = o.id WHERE ${IS_SALE} AND o.status = 'refunded' AND o.refunded_cents > 0`

type DayRow = { day: string; zone: string; cents: number; orders: number }
type ProductRow = { id: string; name: string; isBefore: number; cents: number; units: number; orders: number }
type ViewRow = { id: string; name: string; day: string; views: number }

/** Revenue by day, product and delivery zone, and views of product pages, of a range and the range before. */
export async function loadSales(db: Db, { today, days, before }: DayRange): Promise<Sales> {
  const allDays = [...before, ...days]
  const [begin, middle, end] = [allDays[0]?.beginsAt ?? 0, days[0]?.beginsAt ?? 0, allDays.at(-1)?.endsAt ?? 0]
  const queries: SQL[] = [
    sql`WITH moved AS (${MOVEMENTS})
      SELECT d.value ->> 0 AS day, ${ZONE} AS zone, sum(moved.cents) AS cents, sum(moved.sold) AS orders
      FROM json_each(${JSON.stringify(allDays.map(({ day, beginsAt, endsAt }) => [day, beginsAt, endsAt]))}) d
      JOIN moved ON moved.at >= d.value ->> 1 AND moved.at < d.value ->> 2 JOIN orders o ON o.id = moved.id GROUP BY 1, 2`,
    sql`WITH moved AS (${LINE_MOVEMENTS})
      SELECT p.id, p.name, moved.at < ${middle} AS isBefore, sum(moved.cents) AS cents, sum(moved.units) AS units,
        count(DISTINCT iif(moved.sold, moved.id, NULL)) AS orders
      FROM moved JOIN products p ON p.id = moved.product_id WHERE moved.at >= ${begin} AND moved.at < ${end} GROUP BY 1, 3`,
    sql`SELECT p.id, p.name, v.day, v.views FROM product_views v JOIN products p ON p.id = v.product_id
      WHERE v.day BETWEEN ${allDays[0]?.day ?? today} AND ${allDays.at(-1)?.day ?? today}`,
  ]
  const [moved, lines, views] = await db.$client.batch<never>(queries.map((query) => prepare(db, query)))
  return summarize(
    { today, days: days.map(({ day }) => day), before: before.map(({ day }) => day) },
    {
      byDay: (moved?.results ?? []) as DayRow[],
      byProduct: (lines?.results ?? []) as ProductRow[],
      views: (views?.results ?? []) as ViewRow[],
    },
  )
}

type Days = { today: string; days: readonly string[]; before: readonly string[] }
type Rows = { byDay: readonly DayRow[]; byProduct: readonly ProductRow[]; views: readonly ViewRow[] }

function summarize({ today, days, before }: Days, { byDay, byProduct, views }: Rows): Sales {
  const earlier = new Set(before)
  const zones = new Map<string, Sales['zones'][number]>()
  for (const row of byDay) {
    const zone = getOrAdd(zones, row.zone, () => ({ name: row.zone, revenueCents: zero(), orders: zero() }))
    add(zone.revenueCents, earlier.has(row.day), row.cents)
    add(zone.orders, earlier.has(row.day), row.orders)
  }
  const products = new Map<string, Sales['products'][number]>()
  const productOf = ({ id, name }: { id: string; name: string }) =>
    getOrAdd(products, id, () => ({
      ...{ id, name, revenueCents: zero(), units: zero(), orders: zero(), views: zero() },
    }))
  for (const row of byProduct) {
    const product = productOf(row)
    add(product.revenueCents, row.isBefore === 1, row.cents)
    add(product.units, row.isBefore === 1, row.units)
    add(product.orders, row.isBefore === 1, row.orders)
  }
  for (const row of views) add(productOf(row).views, earlier.has(row.day), row.views)
  const toDay = (day: string) => {
    const rows = byDay.filter((row) => row.day === day)
    return {
      day,
      revenueCents: rows.reduce((sum, { cents }) => sum + cents, 0),
      orders: rows.reduce((sum, { orders }) => sum + orders, 0),
      views: views.reduce((sum, row) => sum + (row.day === day ? row.views : 0), 0),
    }
  }
  const byRevenue = (a: { revenueCents: Compared }, b: { revenueCents: Compared }) =>
    b.revenueCents.now - a.revenueCents.now || b.revenueCents.before - a.revenueCents.before
  return {
    today,
    days: days.map(toDay),
    before: before.map(toDay),
    products: [...products.values()].sort(byRevenue),
    zones: [...zones.values()].sort(byRevenue),
  }
}

const zero = (): Compared => ({ now: 0, before: 0 })
const add = (metric: Compared, isBefore: boolean, value: number) => {
  metric[isBefore ? 'before' : 'now'] += value
}

function getOrAdd<Value>(values: Map<string, Value>, key: string, create: () => Value): Value {
  const value = values.get(key) ?? create()
  values.set(key, value)
  return value
}
