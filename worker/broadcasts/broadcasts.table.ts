import { sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** One letter to many: its words stand here once, and each recipient is a row of the outbox that names it. */
export const broadcasts = sqliteTable(
  'broadcasts',
  {
    /** `show:<concert>` for what is told of a new show by itself: each show once. */
    id: text('id').primaryKey(),
    subject: text('subject').notNull(),
    /** As the administrator writes it; empty for what is written by itself. */
    markdown: text('markdown').notNull(),
    /** Ready to send but for the way out of each recipient. */
    text: text('text').notNull(),
    html: text('html').notNull(),
    /** Confirmed readers: all, of one city, of one tier; or whoever is to be told of shows in one city. */
    audience: text('audience', { enum: ['all', 'city', 'tier', 'alerts'] }).notNull(),
    /** The city as written, or the tier. */
    audienceValue: text('audience_value'),
    /** What it is compared by: the folded city, the tier. */
    audienceKey: text('audience_key'),
    /** What its links begin with: there is no request when it is sent. */
    origin: text('origin').notNull(),
    state: text('state', { enum: ['draft', 'scheduled', 'sending', 'done', 'cancelled'] })
      .notNull()
      .default('draft'),
    /** When it is to go out. */
    scheduledAt: integer('scheduled_at'),
    startedAt: integer('started_at'),
    /** The last recipient that has a row in the outbox; the next page begins behind it. */
    cursor: text('cursor').notNull().default(''),
    /** Every recipient has a row. */
    listedAt: integer('listed_at'),
    finishedAt: integer('finished_at'),
    /** One sender at a time: whoever holds it until then. */
    leaseUntil: integer('lease_until').notNull().default(0),
    createdBy: integer('created_by'),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [
    check('broadcasts_audience', sql`${t.audience} in ('all', 'city', 'tier', 'alerts')`),
    check('broadcasts_audience_key', sql`(${t.audience} in ('all')) = (${t.audienceKey} is null)`),
    check('broadcasts_state', sql`${t.state} in ('draft', 'scheduled', 'sending', 'done', 'cancelled')`),
    index('broadcasts_newest').on(t.createdAt, t.id),
    index('broadcasts_under_way').on(t.scheduledAt).where(sql`state in ('scheduled', 'sending')`),
  ],
)
