import { sql } from 'drizzle-orm'
import { check, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { TEAM_ROLES } from '../contract/endpoint'
import { users } from './users.table'

/**
 * The artist's team. Triggers (migration 0040) keep one row for each user with the role `administrator`: the
 * first becomes owner, others managers until a role is chosen.
 */
export const teamMembers = sqliteTable(
  'team_members',
  {
    userId: integer('user_id')
      .primaryKey()
      .references(() => users.id),
    role: text('role', { enum: TEAM_ROLES }).notNull(),
    since: integer('since').notNull(),
  },
  (t) => [check('team_members_role', sql`${t.role} in ('owner', 'manager', 'editor', 'door')`)],
)
