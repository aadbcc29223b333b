import { sql } from 'drizzle-orm'
import { check, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

// What the overview adds up, kept by triggers with the rows that it counts (migration 0010): a million supporters are
// a few thousand rows here.

/** Supporters (ruling 3) by tier and by the day (YYYY-MM-DD in UTC) of their sign-up. */
export const supporterDays = sqliteTable(
  'supporter_days',
  {
    tier: text('tier', { enum: ['bronze', 'silver', 'gold'] }).notNull(),
    day: text('day').notNull(),
    people: integer('people').notNull(),
  },
  (t) => [primaryKey({ columns: [t.tier, t.day] }), check('supporter_days_people', sql`${t.people} >= 0`)],
)

/** What was paid on a day (UTC), integer cents, and in how many orders. */
export const revenueDays = sqliteTable(
  'revenue_days',
  {
    day: text('day').primaryKey(),
    cents: integer('cents').notNull(),
    orders: integer('orders').notNull(),
  },
  (t) => [check('revenue_days_sums', sql`${t.cents} >= 0 and ${t.orders} >= 0`)],
)
