import { sql } from 'drizzle-orm'
import { check, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { TIERS } from '../contract/site'

// Sums per UTC day for the dashboard, updated by triggers (migration 0010).

/** Number of supporters by their current tier and the day of their sign-up (YYYY-MM-DD). */
export const supporterDays = sqliteTable(
  'supporter_days',
  {
    tier: text('tier', { enum: TIERS }).notNull(),
    day: text('day').notNull(),
    supporters: integer('people').notNull(),
  },
  (t) => [primaryKey({ columns: [t.tier, t.day] }), check('supporter_days_people', sql`${t.supporters} >= 0`)],
)

/** Revenue in cents and number of paid orders, by the day of payment (YYYY-MM-DD). */
export const revenueDays = sqliteTable(
  'revenue_days',
  {
    day: text('day').primaryKey(),
    cents: integer('cents').notNull(),
    orders: integer('orders').notNull(),
  },
  (t) => [check('revenue_days_sums', sql`${t.cents} >= 0 and ${t.orders} >= 0`)],
)
