import { type SQL, sql } from 'drizzle-orm'
import type { ComparedMetric, Sales } from '../contract/sales'
import { type Db, prepare } from '../db/client'
import type { DayRange } from '../db/day-range'
import { UNFULFILLABLE_REASONS_SQL } from './orders'

// Raw SQL: an order's money moves on several days. The statements group it by day in the artist's time zone.

/** SQL over `orders`: paid and not refunded as unfulfillable. */
const IS_SALE = sql`(orders.paid_at IS NOT NULL AND orders.status IN ('paid', 'refunded')
  AND coalesce(orders.refund_reason, '') NOT IN ${sql.raw(UNFULFILLABLE_REASONS_SQL)})`
const PARTLY_REFUNDED_CENTS = sql`(SELECT coalesce(sum(amount_cents), 0) FROM order_refunds WHERE order_id = orders.id AND sent_at IS NOT NULL)`
/** SQL: when the money that no partial refund accounts for was refunded. */
const OTHER_REFUND_AT = sql`coalesce(orders.refunded_at, (SELECT max(received_at) FROM payment_events event
  WHERE event.order_id = orders.id AND event.state = 'applied' AND event.type LIKE '%refund%'), orders.paid_at)`

/** SQL over `orders` and `direction`: when a dispute took the money (-1) or returned it (1); null if it did not. */
const DISPUTE_MOVED_AT = sql`iif(direction.value = -1, orders.disputed_at, iif(orders.dispute_won_at >= orders.disputed_at, orders.dispute_won_at, NULL))`
const HAS_DISPUTE = sql`${IS_SALE} AND orders.disputed_cents > 0 AND orders.refunded_cents = 0`

/** Each payment, refund and dispute of a sale: order, time, cents, and `sold`, which is 1 for the payment. */
const MONEY_MOVEMENTS = sql`
  SELECT orders.id, orders.paid_at AS at, orders.amount_cents AS cents, 1 AS sold FROM orders WHERE ${IS_SALE}
  UNION ALL SELECT orders.id, refund.sent_at, -refund.amount_cents, 0 FROM order_refunds refund JOIN orders ON orders.id = refund.order_id
    WHERE ${IS_SALE} AND refund.sent_at IS NOT NULL
  UNION ALL SELECT orders.id, ${OTHER_REFUND_AT}, ${PARTLY_REFUNDED_CENTS} - orders.refunded_cents, 0 FROM orders
    WHERE ${IS_SALE} AND orders.refunded_cents > ${PARTLY_REFUNDED_CENTS}
  UNION ALL SELECT orders.id, ${DISPUTE_MOVED_AT}, direction.value * orders.disputed_cents, 0
    FROM orders JOIN json_each('[-1,1]') direction WHERE ${HAS_DISPUTE}`

/** Name of the zone with the delivery method that the buyer chose. */
const ZONE_NAME = sql`CASE WHEN orders.shipping_method IS NULL THEN 'No delivery'
  WHEN orders.shipping_method ->> 'isPickup' THEN 'Pick-up at a show'
  ELSE coalesce((SELECT zone.name FROM shipping_zones zone JOIN json_each(zone.methods) method
    WHERE method.value ->> 'id' = orders.shipping_method ->> 'id' LIMIT 1), 'Former zones') END`

const LINE_CENTS = sql`(line.quantity * line.unit_price_cents - line.discount_cents + iif(orders.tax_included, 0, line.tax_cents))`
/** SQL: cents or units of a line that partial refunds refunded. */
const partlyRefunded = (field: 'cents' | 'quantity') =>
  sql`(SELECT coalesce(sum(part.value ->> ${sql.raw(`'${field}'`)}), 0) FROM order_refunds refund JOIN json_each(refund.lines) part
    WHERE refund.order_id = orders.id AND refund.sent_at IS NOT NULL AND part.value ->> 'lineId' = line.id)`
/** SQL: a line's share of the disputed cents. */
const DISPUTED_LINE_CENTS = sql`cast(round(1.0 * orders.disputed_cents * ${LINE_CENTS} / orders.amount_cents) AS INTEGER)`
/**
 * Each payment, refund and dispute of a line of a sale, without delivery. Columns are as in MONEY_MOVEMENTS. A dispute
 * of the whole payment also moves the units, like a refund of the order.
 */
const LINE_MOVEMENTS = sql`
  SELECT orders.id, orders.paid_at AS at, line.product_id, ${LINE_CENTS} AS cents, line.quantity AS units, 1 AS sold
    FROM orders JOIN order_lines line ON line.order_id = orders.id WHERE ${IS_SALE}
  UNION ALL SELECT orders.id, refund.sent_at, line.product_id, -(part.value ->> 'cents'), -(part.value ->> 'quantity'), 0
    FROM order_refunds refund JOIN json_each(refund.lines) part JOIN order_lines line ON line.id = part.value ->> 'lineId'
    JOIN orders ON orders.id = refund.order_id WHERE ${IS_SALE} AND refund.sent_at IS NOT NULL
  UNION ALL SELECT orders.id, ${OTHER_REFUND_AT}, line.product_id, ${partlyRefunded('cents')} - ${LINE_CENTS},
    ${partlyRefunded('quantity')} - line.quantity, 0
    FROM orders JOIN order_lines line ON line.order_id = orders.id WHERE ${IS_SALE} AND orders.status = 'refunded' AND orders.refunded_cents > 0
  UNION ALL SELECT orders.id, ${DISPUTE_MOVED_AT}, line.product_id, direction.value * ${DISPUTED_LINE_CENTS},
    iif(orders.disputed_cents >= orders.amount_cents, direction.value * line.quantity, 0), 0
    FROM orders JOIN json_each('[-1,1]') direction JOIN order_lines line ON line.order_id = orders.id WHERE ${HAS_DISPUTE}`

type DayRow = { day: string; zone: string; cents: number; orders: number }
type ProductRow = { id: string; name: string; isBefore: number; cents: number; units: number; orders: number }
type ViewRow = { id: string; name: string; day: string; views: number }

/** Revenue by day, product and delivery zone, and views of product pages, of a range and the range before. */
export async function loadSales(db: Db, { today, days, before }: DayRange): Promise<Sales> {
  const allDays = [...before, ...days]
  const firstDayBeginsAt = allDays[0]?.beginsAt ?? 0
  const rangeBeginsAt = days[0]?.beginsAt ?? 0
  const lastDayEndsAt = allDays.at(-1)?.endsAt ?? 0
  const queries: SQL[] = [
    sql`WITH moved AS (${MONEY_MOVEMENTS})
      SELECT range_day.value ->> 0 AS day, ${ZONE_NAME} AS zone, sum(moved.cents) AS cents, sum(moved.sold) AS orders
      FROM json_each(${JSON.stringify(allDays.map(({ day, beginsAt, endsAt }) => [day, beginsAt, endsAt]))}) range_day
      JOIN moved ON moved.at >= range_day.value ->> 1 AND moved.at < range_day.value ->> 2 JOIN orders ON orders.id = moved.id GROUP BY 1, 2`,
    sql`WITH moved AS (${LINE_MOVEMENTS})
      SELECT product.id, product.name, moved.at < ${rangeBeginsAt} AS isBefore,
        sum(moved.cents) AS cents, sum(moved.units) AS units,
        count(DISTINCT iif(moved.sold, moved.id, NULL)) AS orders
      FROM moved JOIN products product ON product.id = moved.product_id
      WHERE moved.at >= ${firstDayBeginsAt} AND moved.at < ${lastDayEndsAt} GROUP BY 1, 3`,
    sql`SELECT product.id, product.name, product_views.day, product_views.views FROM product_views JOIN products product ON product.id = product_views.product_id
      WHERE product_views.day BETWEEN ${allDays[0]?.day ?? today} AND ${allDays.at(-1)?.day ?? today}`,
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

type ReportDays = { today: string; days: readonly string[]; before: readonly string[] }
type SalesRows = { byDay: readonly DayRow[]; byProduct: readonly ProductRow[]; views: readonly ViewRow[] }

function summarize({ today, days, before }: ReportDays, { byDay, byProduct, views }: SalesRows): Sales {
  const daysBefore = new Set(before)
  const zones = new Map<string, Sales['zones'][number]>()
  for (const row of byDay) {
    const zone = getOrAdd(zones, row.zone, () => ({ name: row.zone, revenueCents: zeroMetric(), orders: zeroMetric() }))
    addToMetric(zone.revenueCents, daysBefore.has(row.day), row.cents)
    addToMetric(zone.orders, daysBefore.has(row.day), row.orders)
  }
  const products = new Map<string, Sales['products'][number]>()
  const productOf = ({ id, name }: { id: string; name: string }) =>
    getOrAdd(products, id, () => ({
      id,
      name,
      revenueCents: zeroMetric(),
      units: zeroMetric(),
      orders: zeroMetric(),
      views: zeroMetric(),
    }))
  for (const row of byProduct) {
    const product = productOf(row)
    addToMetric(product.revenueCents, row.isBefore === 1, row.cents)
    addToMetric(product.units, row.isBefore === 1, row.units)
    addToMetric(product.orders, row.isBefore === 1, row.orders)
  }
  for (const row of views) addToMetric(productOf(row).views, daysBefore.has(row.day), row.views)
  const toDay = (day: string) => {
    const rows = byDay.filter((row) => row.day === day)
    return {
      day,
      revenueCents: rows.reduce((sum, { cents }) => sum + cents, 0),
      orders: rows.reduce((sum, { orders }) => sum + orders, 0),
      views: views.reduce((sum, row) => sum + (row.day === day ? row.views : 0), 0),
    }
  }
  const byRevenue = (a: { revenueCents: ComparedMetric }, b: { revenueCents: ComparedMetric }) =>
    b.revenueCents.now - a.revenueCents.now || b.revenueCents.before - a.revenueCents.before
  return {
    today,
    days: days.map(toDay),
    before: before.map(toDay),
    products: [...products.values()].sort(byRevenue),
    zones: [...zones.values()].sort(byRevenue),
  }
}

const zeroMetric = (): ComparedMetric => ({ now: 0, before: 0 })
const addToMetric = (metric: ComparedMetric, isBefore: boolean, value: number) => {
  metric[isBefore ? 'before' : 'now'] += value
}

function getOrAdd<Value>(values: Map<string, Value>, key: string, create: () => Value): Value {
  const value = values.get(key) ?? create()
  values.set(key, value)
  return value
}
