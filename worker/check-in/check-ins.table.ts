import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { concerts } from '../concerts/concerts.table'
import { users } from '../users/users.table'

/** Check-ins at shows. A trigger awards the points (migration 0013). */
export const checkIns = sqliteTable(
  'check_ins',
  {
    concertId: text('concert_id')
      .notNull()
      .references(() => concerts.id),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id),
    checkedInAt: integer('checked_in_at').notNull(),
    /** Id of the visitor's scan that was redeemed; each works once. Null for a check-in by code. */
    scanId: text('arrival_id').unique(),
  },
  (t) => [primaryKey({ columns: [t.concertId, t.userId] }), index('check_ins_of_user').on(t.userId)],
)

/** Users who said that they are going to a show; a name is public only if `isNamed`. */
export const showGoers = sqliteTable(
  'show_goers',
  {
    concertId: text('concert_id')
      .notNull()
      .references(() => concerts.id),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id),
    isNamed: integer('is_named', { mode: 'boolean' }).notNull().default(false),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.concertId, t.userId] }),
    index('show_goers_of_user').on(t.userId),
    index('show_goers_named').on(t.concertId, t.createdAt).where(sql`is_named = 1`),
  ],
)

/** Version of a show's check-in secret; 0 without a row. The secret is not stored. */
export const checkInSecretVersions = sqliteTable('show_doors', {
  concertId: text('concert_id')
    .primaryKey()
    .references(() => concerts.id),
  version: integer('version').notNull(),
})
