import { sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Every mail that is to be sent, written in the batch of the act that causes it: nothing is lost (ruling 27). */
export const outbox = sqliteTable(
  'outbox',
  {
    id: text('id').primaryKey(),
    /** One key per mail; a repeated act cannot write it twice. Passed on to the provider. */
    dedupeKey: text('dedupe_key').notNull().unique(),
    /** What it is for, e.g. `verify`. */
    kind: text('kind').notNull(),
    recipient: text('recipient').notNull(),
    subject: text('subject').notNull(),
    text: text('text').notNull(),
    html: text('html').notNull(),
    /** The mailbox behind the address, aliases folded: what caps count by. */
    recipientKey: text('recipient_key').notNull().default(''),
    /** The broadcast whose words these are; its own text and HTML are empty then. */
    broadcastId: text('broadcast_id'),
    /** Extra headers as a JSON object. */
    headers: text('headers', { mode: 'json' }).$type<Record<string, string>>().notNull().default({}),
    /** `unknown`: handed over, the answer was lost; never repeated blindly. */
    state: text('state', { enum: ['waiting', 'sent', 'failed', 'unknown'] })
      .notNull()
      .default('waiting'),
    /** A try of it got no answer: it may have arrived, whatever later tries say. */
    inDoubt: integer('in_doubt', { mode: 'boolean' }).notNull().default(false),
    attempts: integer('attempts').notNull().default(0),
    /** Not before this instant: a retry's patience. */
    dueAt: integer('due_at').notNull().default(0),
    /** When the queue was last told of it. */
    queuedAt: integer('queued_at'),
    /** A sender has taken it: whoever finds it so long after does not know whether it went out. */
    claimedAt: integer('claimed_at'),
    /** What the provider calls it. */
    providerId: text('provider_id'),
    /** What the provider last said. */
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
    // What retention has not emptied yet: words, then addresses.
    index('outbox_with_words').on(t.createdAt).where(sql`html <> ''`),
    index('outbox_with_address').on(t.createdAt).where(sql`recipient <> ''`),
  ],
)
