import { sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** An email to an audience. Each recipient has an outbox row that refers to the broadcast. */
export const broadcasts = sqliteTable(
  'broadcasts',
  {
    /** `show:<concert id>` for the announcement of a new show. */
    id: text('id').primaryKey(),
    subject: text('subject').notNull(),
    /** Empty for the announcement of a show. */
    markdown: text('markdown').notNull(),
    /** `text` and `html` are rendered, with a placeholder for each recipient's unsubscribe link. */
    text: text('text').notNull(),
    html: text('html').notNull(),
    /** Newsletter subscribers (all, of a city, of a tier), or addresses with a show alert for a city; all confirmed. */
    audience: text('audience', { enum: ['all', 'city', 'tier', 'alerts'] }).notNull(),
    /** The city as typed, or the tier. */
    audienceValue: text('audience_value'),
    /** The normalized city, or the tier. */
    audienceKey: text('audience_key'),
    /** The site's origin for links, stored because a queue sends the broadcast, without a request. */
    origin: text('origin').notNull(),
    state: text('state', { enum: ['draft', 'scheduled', 'sending', 'done', 'cancelled'] })
      .notNull()
      .default('draft'),
    scheduledAt: integer('scheduled_at'),
    startedAt: integer('started_at'),
    /** `row_key` of the last recipient with an outbox row, see `audience.ts`. */
    cursor: text('cursor').notNull().default(''),
    /** Set once every recipient has an outbox row. */
    enqueuedAt: integer('listed_at'),
    finishedAt: integer('finished_at'),
    /** End of the current sender's lease. Between batches, when the next one may start. */
    leaseUntil: integer('lease_until').notNull().default(0),
    createdBy: integer('created_by'),
    createdAt: integer('created_at').notNull(),
    /** Increased by every saved change; an update of an older version is a conflict. */
    version: integer('version').notNull().default(1),
  },
  (t) => [
    check('broadcasts_audience', sql`${t.audience} in ('all', 'city', 'tier', 'alerts')`),
    check('broadcasts_audience_key', sql`(${t.audience} in ('all')) = (${t.audienceKey} is null)`),
    check('broadcasts_state', sql`${t.state} in ('draft', 'scheduled', 'sending', 'done', 'cancelled')`),
    index('broadcasts_newest').on(t.createdAt, t.id),
    index('broadcasts_under_way').on(t.scheduledAt).where(sql`state in ('scheduled', 'sending')`),
  ],
)
