import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../db/client'
import { variantTitle } from './products'

export type LowStock = { productId: string; variantId: string; name: string; stock: number }

const MAX_ROWS = 50

/** Raw SQL: the site's row is a higher feature. */
const THRESHOLD: SQL = sql`(SELECT low_stock_threshold FROM site LIMIT 1)`

/** Variants on sale of which few units or none are left, the fewest first. Bundles follow from what they contain. */
export async function lowStock(db: Db): Promise<LowStock[]> {
  const rows = await db.all<{ productId: string; variantId: string; product: string; variant: string; stock: number }>(
    sql`SELECT p.id AS productId, v.id AS variantId, p.name AS product, v.name AS variant, v.stock
      FROM product_variants v JOIN products p ON p.id = v.product_id
      WHERE v.removed_at IS NULL AND p.removed_at IS NULL AND v.stock <= ${THRESHOLD}
        AND NOT EXISTS (SELECT 1 FROM bundle_items b WHERE b.bundle_variant_id = v.id)
      ORDER BY v.stock, p.position, v.position LIMIT ${MAX_ROWS}`,
  )
  return rows.map(({ product, variant, ...row }) => ({ ...row, name: variantTitle(product, variant) }))
}
