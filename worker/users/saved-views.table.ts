import { integer, sqliteTable, text, unique } from 'drizzle-orm/sqlite-core'
import { users } from './users.table'

/** A named search of one of the dashboard's lists, for the admin who saved it. */
export const savedViews = sqliteTable(
  'saved_views',
  {
    id: text('id').primaryKey(),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id),
    /** Name of the list, e.g. `supporters`. */
    list: text('list').notNull(),
    name: text('name').notNull(),
    /** Query string with search, filters, sort and columns. */
    search: text('search').notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [unique('saved_views_names').on(t.userId, t.list, t.name)],
)
