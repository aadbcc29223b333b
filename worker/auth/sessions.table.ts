import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/**
 * Sessions that were logged out one by one. KV may go on serving a deleted session for a minute or more, so a session
 * stands only while it is not in here and its epoch is the user's (ruling 11). Rows outlive the session, then are swept.
 */
export const revokedSessions = sqliteTable(
  'revoked_sessions',
  {
    sid: text('sid').primaryKey(),
    expiresAt: integer('expires_at').notNull(),
  },
  (t) => [index('revoked_sessions_age').on(t.expiresAt)],
)
