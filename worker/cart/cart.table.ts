import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { productVariants } from '../products/products.table'
import { users } from '../users/users.table'

/** An account's cart; visitors have theirs in the browser only. */
export const cartLines = sqliteTable(
  'cart_lines',
  {
    userId: integer('user_id')
      .notNull()
      .references(() => users.id),
    variantId: text('variant_id')
      .notNull()
      .references(() => productVariants.id),
    position: integer('position').notNull(),
    quantity: integer('quantity').notNull(),
    /** The buyer's price of a pay-what-you-want variant; else null. */
    unitPriceCents: integer('unit_price_cents'),
    updatedAt: integer('updated_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.variantId] }),
    check('cart_lines_quantity', sql`${t.quantity} between 1 and 99`),
    check('cart_lines_price', sql`${t.unitPriceCents} is null or ${t.unitPriceCents} >= 0`),
    index('cart_lines_by_age').on(t.updatedAt),
  ],
)

/** Shipping addresses that a supporter saved for the next checkout. */
export const savedAddresses = sqliteTable(
  'saved_addresses',
  {
    id: text('id').primaryKey(),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id),
    /** ShippingAddress as JSON with fixed key order, so that an address is stored once. */
    address: text('address').notNull(),
    usedAt: integer('used_at').notNull(),
  },
  (t) => [uniqueIndex('saved_addresses_of_user').on(t.userId, t.address)],
)
