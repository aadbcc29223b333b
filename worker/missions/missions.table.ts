import { sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Progress is read from the ledger. A trigger awards a mission with the ledger entry that completes it. */
export const missions = sqliteTable(
  'missions',
  {
    id: text('id').primaryKey(),
    title: text('title').notNull(),
    description: text('description').notNull(),
    points: integer('points').notNull(),
    /** The ledger action that counts towards the mission. */
    action: text('action').notNull(),
    /** Number of actions that complete the mission. */
    target: integer('target').notNull(),
    /** Only actions of this many last days count; null for all. */
    withinDays: integer('within_days'),
    /** The actions must be on consecutive days in the artist's time zone. */
    isStreak: integer('is_streak', { mode: 'boolean' }).notNull().default(false),
    position: integer('position').notNull(),
    /** False once the mission has ended. */
    isActive: integer('is_active', { mode: 'boolean' }).notNull().default(true),
    /** Awards in the ledger, including reversed ones; updated by a trigger (migration 0026). */
    timesPaid: integer('times_paid').notNull().default(0),
    /** Incremented with every save. A save must send the version that it changes. */
    version: integer('version').notNull().default(1),
  },
  (t) => [
    check('missions_target', sql`${t.target} > 0`),
    check('missions_points', sql`${t.points} >= 0`),
    index('missions_order').on(t.position, t.id).where(sql`is_active = 1`),
  ],
)
