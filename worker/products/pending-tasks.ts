import { sql } from 'drizzle-orm'
import type { PendingTaskSource } from '../db/pending-tasks'
import { site } from '../site/site.table'

const LOW_STOCK = sql`(SELECT ${site.lowStockThreshold} FROM ${site} LIMIT 1)`
const NAMES_SHOWN = 3

/** Variants on sale with low stock. */
export const lowStock: PendingTaskSource<{ name: string; stock: number }> = {
  screen: 'merch',
  query: () => sql`SELECT p.name || iif(v.name = '', '', ', ' || v.name) AS name, v.stock FROM product_variants v
    JOIN products p ON p.id = v.product_id
    WHERE v.stock <= ${LOW_STOCK} AND v.removed_at IS NULL AND p.removed_at IS NULL ORDER BY v.stock, p.position, v.position`,
  toItems: (variants) => {
    if (variants.length === 0) return []
    const named = variants
      .slice(0, NAMES_SHOWN)
      .map(({ name, stock }) => `${name} (${stock === 0 ? 'sold out' : `${stock} left`})`)
    const rest = variants.length - named.length
    return [
      {
        id: 'merch.stock',
        count: variants.length,
        title: 'Low stock',
        text: `${named.join('; ')}${rest > 0 ? `; and ${rest} more` : ''}.`,
        href: '/admin/merch',
        action: 'Update the stock',
        dueAt: null,
        isUrgent: false,
      },
    ]
  },
}
