import { sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/**
 * Addresses that get no email or only some kinds, as keyed hashes. Removed when the recipient subscribes again or an
 * administrator lifts the suppression, and after RETENTION.suppressionMonths.
 */
export const suppressedAddresses = sqliteTable(
  'mail_stops',
  {
    hash: text('hash').primaryKey(),
    /**
     * `bounced`: no such mailbox. `complained`: marked as spam. `suppressed`: the provider rejects the address.
     * `unsubscribed`: left the newsletter on another platform, according to an import, or here more than a year ago.
     */
    reason: text('reason', { enum: ['bounced', 'complained', 'suppressed', 'unsubscribed'] }).notNull(),
    /** The email that led to the suppression, if any: its outbox row, while it exists, shows the admin the address. */
    mailId: text('mail_id'),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [
    check('mail_stops_reason', sql`${t.reason} in ('bounced', 'complained', 'suppressed', 'unsubscribed')`),
    index('mail_stops_newest').on(t.createdAt, t.hash),
  ],
)

/**
 * Addresses of erased accounts and visitors, as keyed hashes: they get no broadcasts. Removed when the newsletter is
 * confirmed again.
 */
export const erasedAddresses = sqliteTable('suppressions', {
  hash: text('hash').primaryKey(),
  createdAt: integer('created_at').notNull(),
})
