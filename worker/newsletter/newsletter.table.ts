import { sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Version of the consent text beside the form; a new text gets a new name. */
export const CONSENT_VERSION = 'newsletter-2025-07-18'

/** Newsletter subscriptions; only confirmed ones get email (double opt-in). */
export const subscribers = sqliteTable(
  'subscribers',
  {
    id: text('id').primaryKey(),
    email: text('email').notNull(),
    emailKey: text('email_key').notNull().unique(),
    state: text('state', { enum: ['pending', 'confirmed', 'unsubscribed'] })
      .notNull()
      .default('pending'),
    consentVersion: text('consent_version').notNull(),
    consentAt: integer('consent_at').notNull(),
    confirmedAt: integer('confirmed_at'),
    unsubscribedAt: integer('unsubscribed_at'),
    /** As the subscriber typed it; `cityKey` is normalized. */
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
