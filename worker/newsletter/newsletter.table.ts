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
    /** Where the reader lives, if they said so: mail about a city reaches them. */
    city: text('city'),
    cityKey: text('city_key'),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [
    check('subscribers_state', sql`${t.state} in ('pending', 'confirmed', 'unsubscribed')`),
    index('subscribers_by_state').on(t.state, t.createdAt),
    index('subscribers_waiting').on(t.consentAt).where(sql`state = 'pending'`),
    index('subscribers_left').on(t.unsubscribedAt).where(sql`state = 'unsubscribed'`),
    index('subscribers_by_city').on(t.cityKey, t.id).where(sql`city_key is not null`),
  ],
)

/**
 * Addresses that must not be written to although nothing else is known of them any more: a keyed hash each, which leads
 * back to nobody. Kept when an account is erased; gone when the mailbox's reader confirms the newsletter anew.
 */
export const suppressions = sqliteTable('suppressions', {
  hash: text('hash').primaryKey(),
  createdAt: integer('created_at').notNull(),
})
