import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const products = sqliteTable(
  'products',
  {
    id: text('id').primaryKey(),
    name: text('name').notNull(),
    description: text('description').notNull(),
    priceCents: integer('price_cents').notNull(),
    stock: integer('stock').notNull(),
    /** External card-payment page; empty when /checkout sells it (ruling 24). */
    checkoutUrl: text('checkout_url').notNull().default(''),
    isFeatured: integer('is_featured', { mode: 'boolean' }).notNull().default(false),
    position: integer('position').notNull(),
  },
  (t) => [
    check('products_price', sql`${t.priceCents} >= 0`),
    check('products_stock', sql`${t.stock} >= 0`),
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

/** One order of one product. Only a paid order is revenue (ruling 3). */
export const orders = sqliteTable(
  'orders',
  {
    id: text('id').primaryKey(),
    productId: text('product_id')
      .notNull()
      .references(() => products.id),
    quantity: integer('quantity').notNull(),
    /** What one cost when ordered, before the discount. */
    unitPriceCents: integer('unit_price_cents').notNull(),
    discountCents: integer('discount_cents').notNull().default(0),
    amountCents: integer('amount_cents').notNull(),
    status: text('status', { enum: ['pending', 'paid', 'failed', 'expired', 'refunded'] }).notNull(),
    createdAt: integer('created_at').notNull(),
    paidAt: integer('paid_at'),
  },
  (t) => [
    check('orders_status', sql`${t.status} in ('pending', 'paid', 'failed', 'expired', 'refunded')`),
    check(
      'orders_amount',
      sql`${t.amountCents} = ${t.quantity} * ${t.unitPriceCents} - ${t.discountCents} and ${t.amountCents} >= 0`,
    ),
    check('orders_quantity', sql`${t.quantity} > 0`),
    index('orders_revenue').on(t.status, t.paidAt, t.amountCents),
  ],
)
