import { sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** An address that asked for the newsletter. Nobody is written to before they have confirmed (ruling 27). */
export const subscribers = sqliteTable(
  'subscribers',
  {
    id: text('id').primaryKey(),
    email: text('email').notNull(),
    /** Folded address: one row each. */
    emailKey: text('email_key').notNull().unique(),
    state: text('state', { enum: ['pending', 'confirmed', 'unsubscribed'] })
      .notNull()
      .default('pending'),
    /** Which wording was agreed to, and when. */
    consentVersion: text('consent_version').notNull(),
    consentAt: integer('consent_at').notNull(),
    confirmedAt: integer('confirmed_at'),
    unsubscribedAt: integer('unsubscribed_at'),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [
    check('subscribers_state', sql`${t.state} in ('pending', 'confirmed', 'unsubscribed')`),
    index('subscribers_by_state').on(t.state, t.createdAt),
  ],
)
