import { sql } from 'drizzle-orm'
import type { PendingTaskSource } from '../db/pending-tasks'
import { site } from '../site/site.table'

const LOW_STOCK = sql`(SELECT ${site.lowStockThreshold} FROM ${site} LIMIT 1)`
const NAMES_SHOWN = 3

/** Variants for sale with low stock. */
export const lowStock: PendingTaskSource<{ name: string; stock: number }> = {
  screen: 'merch',
  query: () => sql`SELECT product.name || iif(variant.name = '', '', ', ' || variant.name) AS name, variant.stock
    FROM product_variants variant JOIN products product ON product.id = variant.product_id
    WHERE variant.stock <= ${LOW_STOCK} AND variant.removed_at IS NULL AND product.removed_at IS NULL
    ORDER BY variant.stock, product.position, variant.position`,
  toTasks: (variants) => {
    if (variants.length === 0) return []
    const namedVariants = variants
      .slice(0, NAMES_SHOWN)
      .map(({ name, stock }) => `${name} (${stock === 0 ? 'sold out' : `${stock} left`})`)
    const unnamedCount = variants.length - namedVariants.length
    return [
      {
        id: 'merch.stock',
        count: variants.length,
        title: 'Low stock',
        text: `${namedVariants.join('; ')}${unnamedCount > 0 ? `; and ${unnamedCount} more` : ''}.`,
        href: '/admin/merch',
        action: 'Update the stock',
        dueAt: null,
        isUrgent: false,
      },
    ]
  },
}
