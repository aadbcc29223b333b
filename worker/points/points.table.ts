import { sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text, unique } from 'drizzle-orm/sqlite-core'
import { users } from '../users/users.table'

/**
 * Append-only ledger of points. Triggers (migration 0001) add each entry to `users.points` and reject updates and
 * deletes, except that descriptions and listen keys can be anonymized (migration 0016).
 */
export const ledger = sqliteTable(
  'ledger',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id),
    /** E.g. `poll_vote`. */
    action: text('action').notNull(),
    /** Unique per user: `poll_vote:<poll>`, `track_stream:<track>:<yyyymmdd>`. */
    key: text('key').notNull(),
    description: text('description').notNull(),
    /** Negative in reversals and in adjustments that remove points. */
    points: integer('points').notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [
    unique('ledger_once').on(t.userId, t.key),
    index('ledger_history').on(t.userId, t.createdAt, t.id),
    index('ledger_by_action').on(t.userId, t.action, t.createdAt),
    // For retention: listens that are not anonymized yet.
    index('ledger_listens')
      .on(t.createdAt)
      .where(sql`action = 'track_stream' and points > 0 and description <> 'Listened to a track'`),
  ],
)

/** Number of listed supporters by points, so that a rank needs no full count. Triggers on `users` update it. */
export const standings = sqliteTable(
  'standings',
  {
    points: integer('points').primaryKey(),
    supporters: integer('people').notNull(),
  },
  (t) => [check('standings_people', sql`${t.supporters} >= 0`)],
)
