import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

export const products = sqliteTable(
  'products',
  {
    id: text('id').primaryKey(),
    /** Last segment of the product's address; never changes. */
    slug: text('slug').notNull(),
    name: text('name').notNull(),
    description: text('description').notNull(),
    priceCents: integer('price_cents').notNull(),
    stock: integer('stock').notNull(),
    /** External payment page; empty if sold by /checkout. */
    checkoutUrl: text('checkout_url').notNull().default(''),
    isFeatured: integer('is_featured', { mode: 'boolean' }).notNull().default(false),
    /** Needs a shipping address at the checkout. */
    ships: integer('ships', { mode: 'boolean' }).notNull().default(true),
    position: integer('position').notNull(),
    /** Removed from the store; can be restored. */
    removedAt: integer('removed_at'),
  },
  (t) => [
    check('products_price', sql`${t.priceCents} >= 0`),
    check('products_stock', sql`${t.stock} >= 0`),
    uniqueIndex('products_slug').on(t.slug),
    index('products_order').on(t.position, t.id),
  ],
)

export const productImages = sqliteTable(
  'product_images',
  {
    productId: text('product_id')
      .notNull()
      .references(() => products.id),
    position: integer('position').notNull(),
    url: text('url').notNull(),
    alt: text('alt').notNull(),
  },
  (t) => [primaryKey({ columns: [t.productId, t.position] })],
)
