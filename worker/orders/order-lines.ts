import { eq, type SQL, sql } from 'drizzle-orm'
import type { OrderTotals } from '../contract/pricing'
import type { ProductKind } from '../contract/products'
import type { Db } from '../db/client'
import { orders } from './orders.table'

// Raw SQL: an order and its lines are written in one batch, and take the stock of all lines or none.

/** A line to write. */
export type LineValues = {
  variantId: string
  productId: string
  productName: string
  variantName: string
  kind: ProductKind
  quantity: number
  unitPriceCents: number
  discountCents: number
  taxCents: number
}

/** SQL subquery (variant_id, quantity): units that `lines` need of each variant. A bundle needs units of its items. */
const stockNeedsSql = (lines: string) => `
  SELECT coalesce(item.variant_id, line.variant_id) AS variant_id,
    sum(line.quantity * coalesce(item.quantity, 1)) AS quantity
  FROM (${lines}) line LEFT JOIN bundle_items item ON item.bundle_variant_id = line.variant_id GROUP BY 1`

/** SQL: the lines in a JSON parameter, for `stockNeedsSql`. */
export const jsonLinesSql = (json: string) =>
  `SELECT value ->> 'variantId' AS variant_id, value ->> 'quantity' AS quantity FROM json_each(${json})`

/** SQL: units that the order holds now, for `stockNeedsSql`. */
const heldLinesSql = (orderId: string) =>
  `SELECT variant_id, held AS quantity FROM order_lines WHERE order_id = ${orderId} AND held > 0`

/** SQL condition: enough of every variant is left for `lines`, including the units that the order holds already. */
export const inStockSql = (lines: string, orderId: string | null) => `
  NOT EXISTS (SELECT 1 FROM (${stockNeedsSql(lines)}) needed JOIN product_variants variant ON variant.id = needed.variant_id
    ${orderId === null ? '' : `LEFT JOIN (${stockNeedsSql(heldLinesSql(orderId))}) held ON held.variant_id = needed.variant_id`}
    WHERE variant.stock ${orderId === null ? '' : '+ coalesce(held.quantity, 0)'} < needed.quantity)`

/** SQL condition: every line of the JSON parameter has a price at which its variant is sold now. */
export const atCurrentPricesSql = (json: string) => `
  NOT EXISTS (SELECT 1 FROM json_each(${json}) line LEFT JOIN product_variants variant
    ON variant.id = line.value ->> 'variantId' AND variant.removed_at IS NULL
      AND (variant.price_cents = line.value ->> 'unitPriceCents' OR variant.minimum_cents <= line.value ->> 'unitPriceCents')
    WHERE variant.id IS NULL)`

/** Columns of `orders` computed from its lines and prices, each with its field in the JSON of `orderSumFields`. */
const SUM_COLUMNS = {
  product_id: 'productId',
  // 1 and the sum before the discount, for a CHECK of decision 0022: amount = quantity * unit price - discount.
  quantity: 'one',
  unit_price_cents: 'grossCents',
  units: 'units',
  lines_cents: 'linesCents',
  shipping_cents: 'shippingCents',
  discount_cents: 'discountCents',
  tax_cents: 'taxCents',
  tax_included: 'taxIncluded',
  tax_name: 'taxName',
  tax_rate_per_100k: 'taxRatePer100k',
  tax_calculation_id: 'taxCalculationId',
  amount_cents: 'totalCents',
  currency: 'currency',
} as const
export const SUM_COLUMN_NAMES = Object.keys(SUM_COLUMNS).join(', ')
/** SQL: the values of SUM_COLUMNS, from the JSON of `orderSumFields` in a parameter. */
export const selectSumsSql = (json: string) =>
  Object.values(SUM_COLUMNS)
    .map((field) => `${json} ->> '${field}'`)
    .join(', ')
/** SQL: assignments of SUM_COLUMNS, from the JSON of `orderSumFields` in a parameter. */
export const assignSumsSql = (json: string) =>
  Object.entries(SUM_COLUMNS)
    .map(([column, field]) => `${column} = ${json} ->> '${field}'`)
    .join(', ')

export type OrderSums = Pick<
  OrderTotals,
  'linesCents' | 'shippingCents' | 'discountCents' | 'taxCents' | 'taxIncluded' | 'totalCents' | 'currency'
> &
  Pick<typeof orders.$inferSelect, 'taxName' | 'taxRatePer100k' | 'taxCalculationId'>

/** The JSON fields of SUM_COLUMNS. */
export const orderSumFields = (sums: OrderSums, lines: readonly LineValues[]) => ({
  ...sums,
  productId: lines[0]?.productId ?? '',
  one: 1,
  grossCents: sums.totalCents + sums.discountCents,
  units: unitsOf(lines),
})

const unitsOf = (lines: readonly Pick<LineValues, 'quantity'>[]): number =>
  lines.reduce((sum, { quantity }) => sum + quantity, 0)

/**
 * Statements that replace the lines of an order and take their stock. They belong in a batch whose first statement sets
 * the order's `change_id`, and `held` to 0; if that statement changed nothing, neither do these.
 */
export function replaceLines(
  d1: D1Database,
  { orderId, changeId }: { orderId: string; changeId: string },
  lines: readonly LineValues[],
): D1PreparedStatement[] {
  return [
    d1
      .prepare(
        'DELETE FROM order_lines WHERE order_id = ?1 AND EXISTS (SELECT 1 FROM orders WHERE id = ?1 AND change_id = ?2)',
      )
      .bind(orderId, changeId),
    d1
      .prepare(
        `INSERT INTO order_lines (id, order_id, position, product_id, variant_id, product_name, variant_name, kind, quantity,
           unit_price_cents, discount_cents, tax_cents)
         SELECT orders.id || '-' || (key + 1), orders.id, key + 1, value ->> 'productId', value ->> 'variantId', value ->> 'productName',
           value ->> 'variantName', value ->> 'kind', value ->> 'quantity', value ->> 'unitPriceCents',
           value ->> 'discountCents', value ->> 'taxCents'
         FROM orders JOIN json_each(?3) WHERE orders.id = ?1 AND orders.change_id = ?2`,
      )
      .bind(orderId, changeId, JSON.stringify(lines)),
    // A declined order holds nothing.
    d1
      .prepare("UPDATE orders SET held = units WHERE id = ?1 AND change_id = ?2 AND status <> 'failed'")
      .bind(orderId, changeId),
  ]
}

/** An order and its lines. */
export type OrderWithLines = { order: typeof orders.$inferSelect; lines: LineValues[] }

/** Orders with their lines, in one query. */
export async function findOrdersWithLines(db: Db, where: SQL | undefined): Promise<OrderWithLines[]> {
  const rows = await db
    .select({
      order: orders,
      // `orders.id` as text: drizzle leaves out the table, and the inner table has an `id` too.
      lines: sql<string>`(SELECT json_group_array(json_object('variantId', variant_id, 'productId', product_id,
        'productName', product_name, 'variantName', variant_name, 'kind', kind, 'quantity', quantity,
        'unitPriceCents', unit_price_cents, 'discountCents', discount_cents, 'taxCents', tax_cents) ORDER BY position)
        FROM order_lines WHERE order_id = orders.id)`,
    })
    .from(orders)
    .where(where)
  return rows.map(({ order, lines }) => ({ order, lines: JSON.parse(lines) as LineValues[] }))
}

export const findOrderWithLines = async (db: Db, id: string): Promise<OrderWithLines | null> =>
  (await findOrdersWithLines(db, eq(orders.id, id)))[0] ?? null

/** The sums that an order has now. */
export const sumsOf = (order: OrderWithLines['order']): OrderSums => ({
  linesCents: order.linesCents,
  shippingCents: order.shippingCents,
  discountCents: order.discountCents,
  taxCents: order.taxCents,
  taxIncluded: order.taxIncluded,
  taxName: order.taxName,
  taxRatePer100k: order.taxRatePer100k,
  taxCalculationId: order.taxCalculationId,
  totalCents: order.amountCents,
  currency: order.currency,
})
