import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { products } from './products.table'

/** Views of a product's page on a day in the artist's time zone. A trigger counts each row of product_view_messages. */
export const productViews = sqliteTable(
  'product_views',
  {
    /** YYYY-MM-DD. */
    day: text('day').notNull(),
    productId: text('product_id')
      .notNull()
      .references(() => products.id),
    views: integer('views').notNull(),
  },
  (t) => [primaryKey({ columns: [t.day, t.productId] }), check('product_views_count', sql`${t.views} > 0`)],
)

/** Queue messages that were counted, so that a redelivered message is not counted again. */
export const productViewMessages = sqliteTable(
  'product_view_messages',
  {
    /** The queue's id of the message. */
    id: text('id').primaryKey(),
    productId: text('product_id').notNull(),
    day: text('day').notNull(),
    countedAt: integer('counted_at').notNull(),
  },
  (t) => [index('product_view_messages_by_age').on(t.countedAt)],
)
