import { sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text, unique } from 'drizzle-orm/sqlite-core'
import { users } from '../users/users.table'

/**
 * The ledger: append-only, one row per act that was paid or taken back. Triggers (migration 0001) add each row to
 * `users.points` and refuse changes and removals, so the total is the sum at every moment (ruling 16). Only words may be
 * forgotten: for one of a few plain ones, and a listen's key for one without its track (migration 0016).
 */
export const ledger = sqliteTable(
  'ledger',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id),
    /** What was done, e.g. `poll_vote`. */
    action: text('action').notNull(),
    /** Identifies the act for its user: `poll_vote:<poll>`, `track_stream:<track>:<yyyymmdd>`. Paid once, ever. */
    key: text('key').notNull(),
    description: text('description').notNull(),
    /** Whole points; negative in a reversing row. */
    points: integer('points').notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [
    unique('ledger_once').on(t.userId, t.key),
    index('ledger_history').on(t.userId, t.createdAt, t.id),
    index('ledger_by_action').on(t.userId, t.action, t.createdAt),
    // What still says which track was heard; retention makes it say less (migration 0016).
    index('ledger_listens')
      .on(t.createdAt)
      .where(sql`action = 'track_stream' and points > 0 and description <> 'Listened to a track'`),
  ],
)

/**
 * How many people of the leaderboard stand at each number of points: a place is a sum over the numbers above one's
 * own, not a count of everybody ahead. Kept by triggers on `users` (migration 0008).
 */
export const standings = sqliteTable(
  'standings',
  {
    points: integer('points').primaryKey(),
    people: integer('people').notNull(),
  },
  (t) => [check('standings_people', sql`${t.people} >= 0`)],
)
