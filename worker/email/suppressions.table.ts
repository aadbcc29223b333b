import { sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/**
 * Addresses that are not written to any more, because their mailbox or their reader said so: a keyed hash each, which
 * leads back to nobody. Gone when the mailbox's reader asks for mail anew, or an administrator knows better.
 */
export const mailStops = sqliteTable(
  'mail_stops',
  {
    hash: text('hash').primaryKey(),
    /** `bounced`: there is no such mailbox. `complained`: its reader called our mail spam. `suppressed`: the provider will not write. */
    reason: text('reason', { enum: ['bounced', 'complained', 'suppressed'] }).notNull(),
    /** The mail that came back, for as long as its row is kept: shows an administrator who is meant. */
    mailId: text('mail_id'),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [
    check('mail_stops_reason', sql`${t.reason} in ('bounced', 'complained', 'suppressed')`),
    index('mail_stops_newest').on(t.createdAt, t.hash),
  ],
)
