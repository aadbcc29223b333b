import { sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { TokenScope } from '../contract/developers'
import { users } from '../users/users.table'

/** Access tokens of team members. A trigger deletes them when the member leaves the team. */
export const apiTokens = sqliteTable(
  'api_tokens',
  {
    id: text('id').primaryKey(),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id),
    name: text('name').notNull(),
    /** Keyed hash; the token is not stored. */
    hash: text('hash').notNull().unique(),
    /** The last four characters of the token. */
    hint: text('hint').notNull(),
    scopes: text('scopes', { mode: 'json' }).$type<TokenScope[]>().notNull(),
    /** The owner's session epoch at creation: the token becomes invalid when all of the owner's sessions end. */
    sessionEpoch: integer('session_epoch').notNull().default(0),
    createdAt: integer('created_at').notNull(),
    expiresAt: integer('expires_at').notNull(),
    lastUsedAt: integer('last_used_at'),
  },
  (t) => [check('api_tokens_scopes', sql`json_valid(${t.scopes})`), index('api_tokens_of_user').on(t.userId)],
)
