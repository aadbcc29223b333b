import { sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Transactional outbox: an email is written in the batch of the action that causes it. */
export const outbox = sqliteTable(
  'outbox',
  {
    id: text('id').primaryKey(),
    /** Repeating an action cannot enqueue its email twice. */
    dedupeKey: text('dedupe_key').notNull().unique(),
    /** Purpose, e.g. `verify`. */
    kind: text('kind').notNull(),
    recipient: text('recipient').notNull(),
    subject: text('subject').notNull(),
    text: text('text').notNull(),
    html: text('html').notNull(),
    /** `mailboxKey` of the recipient. */
    recipientKey: text('recipient_key').notNull().default(''),
    /** Set for emails of a broadcast, whose text and HTML are stored in `broadcasts` and empty here. */
    broadcastId: text('broadcast_id'),
    headers: text('headers', { mode: 'json' }).$type<Record<string, string>>().notNull().default({}),
    /** `unknown`: it may have been sent; only an administrator sends it again. */
    state: text('state', { enum: ['waiting', 'sent', 'failed', 'unknown'] })
      .notNull()
      .default('waiting'),
    /** An attempt got no response, so the email may have arrived. */
    inDoubt: integer('in_doubt', { mode: 'boolean' }).notNull().default(false),
    attempts: integer('attempts').notNull().default(0),
    /** Earliest time of the next attempt. */
    dueAt: integer('due_at').notNull().default(0),
    /** When its queue message was last sent. */
    queuedAt: integer('queued_at'),
    /** Set while a sender works on the email. */
    claimedAt: integer('claimed_at'),
    providerId: text('provider_id'),
    lastError: text('last_error'),
    createdAt: integer('created_at').notNull(),
    sentAt: integer('sent_at'),
  },
  (t) => [
    check('outbox_state', sql`${t.state} in ('waiting', 'sent', 'failed', 'unknown')`),
    check('outbox_headers', sql`json_valid(${t.headers})`),
    index('outbox_by_state').on(t.state, t.createdAt),
    index('outbox_newest').on(t.createdAt),
    index('outbox_to_send').on(t.dueAt).where(sql`state = 'waiting'`),
    index('outbox_of_mailbox').on(t.recipientKey, t.createdAt),
    index('outbox_of_broadcast').on(t.broadcastId, t.state, t.dueAt).where(sql`broadcast_id is not null`),
    index('outbox_of_provider').on(t.providerId).where(sql`provider_id is not null`),
    index('outbox_of_kind').on(t.kind, t.createdAt),
    index('outbox_of_address').on(sql`lower(${t.recipient})`),
    // For retention, which empties texts first and addresses later.
    index('outbox_with_words').on(t.createdAt).where(sql`html <> ''`),
    index('outbox_with_address').on(t.createdAt).where(sql`recipient <> ''`),
  ],
)
