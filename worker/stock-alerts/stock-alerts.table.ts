import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { productVariants } from '../products/products.table'

/** Addresses to email once a variant is in stock again. The batch that enqueues the email deletes the row. */
export const stockAlerts = sqliteTable(
  'stock_alerts',
  {
    id: text('id').primaryKey(),
    variantId: text('variant_id')
      .notNull()
      .references(() => productVariants.id),
    email: text('email').notNull(),
    emailKey: text('email_key').notNull(),
    createdAt: integer('created_at').notNull(),
    /** Null until the address is confirmed by its emailed link. */
    confirmedAt: integer('confirmed_at'),
  },
  (t) => [
    uniqueIndex('stock_alerts_once').on(t.emailKey, t.variantId),
    index('stock_alerts_due').on(t.variantId, t.createdAt).where(sql`confirmed_at is not null`),
    index('stock_alerts_by_age').on(t.createdAt),
  ],
)
