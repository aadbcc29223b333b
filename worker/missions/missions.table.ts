import { sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** What a supporter can set out to do. Progress is read from the ledger; a mission is paid with the act that fulfils it. */
export const missions = sqliteTable(
  'missions',
  {
    id: text('id').primaryKey(),
    title: text('title').notNull(),
    description: text('description').notNull(),
    points: integer('points').notNull(),
    /** The ledger action that counts towards it. */
    action: text('action').notNull(),
    /** How many acts fulfil it. */
    target: integer('target').notNull(),
    /** Acts are counted within the last so many days; null for ever. */
    withinDays: integer('within_days'),
    /** True when the acts must fall on consecutive days of the artist's calendar. */
    isStreak: integer('is_streak', { mode: 'boolean' }).notNull().default(false),
    position: integer('position').notNull(),
    /** False once it has ended: it is out of sight and pays nobody. */
    isActive: integer('is_active', { mode: 'boolean' }).notNull().default(true),
    /** How often the ledger has paid it, kept by a trigger (migration 0026); what was taken back counts as well. */
    timesPaid: integer('times_paid').notNull().default(0),
  },
  (t) => [
    check('missions_target', sql`${t.target} > 0`),
    check('missions_points', sql`${t.points} >= 0`),
    index('missions_order').on(t.position, t.id).where(sql`is_active = 1`),
  ],
)
