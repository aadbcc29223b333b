import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { concerts } from '../concerts/concerts.table'
import { users } from '../users/users.table'

/** Who was at a show, once each. A trigger pays the points with the row (migration 0013). */
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
    /** The scan of a visitor that this came from: one scan lets one person in. Null for a supporter's own. */
    arrivalId: text('arrival_id').unique(),
  },
  (t) => [primaryKey({ columns: [t.concertId, t.userId] }), index('check_ins_of_user').on(t.userId)],
)

/** Who means to go to a show. The name is public only for those who said so. */
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

/** Which secret a show's door uses: 0, the first, where there is no row. The secret itself is nowhere stored. */
export const showDoors = sqliteTable('show_doors', {
  concertId: text('concert_id')
    .primaryKey()
    .references(() => concerts.id),
  version: integer('version').notNull(),
})
