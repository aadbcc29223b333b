import { sql } from 'drizzle-orm'
import { check, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { TIERS } from '../contract/site'

// Daily sums of the dashboard, updated by triggers (migration 0010).

/** Supporters by tier and day (YYYY-MM-DD in UTC) of sign-up. */
export const supporterDays = sqliteTable(
  'supporter_days',
  {
    tier: text('tier', { enum: TIERS }).notNull(),
    day: text('day').notNull(),
    supporters: integer('people').notNull(),
  },
  (t) => [primaryKey({ columns: [t.tier, t.day] }), check('supporter_days_people', sql`${t.supporters} >= 0`)],
)

/** Revenue of a day (UTC) in cents, and its number of orders. */
export const revenueDays = sqliteTable(
  'revenue_days',
  {
    day: text('day').primaryKey(),
    cents: integer('cents').notNull(),
    orders: integer('orders').notNull(),
  },
  (t) => [check('revenue_days_sums', sql`${t.cents} >= 0 and ${t.orders} >= 0`)],
)
