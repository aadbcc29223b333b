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
    /** Extra headers as a JSON object. */
    headers: text('headers', { mode: 'json' }).$type<Record<string, string>>().notNull().default({}),
    /** `unknown`: handed over, the answer was lost; never repeated blindly. */
    state: text('state', { enum: ['waiting', 'sent', 'failed', 'unknown'] })
      .notNull()
      .default('waiting'),
    attempts: integer('attempts').notNull().default(0),
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
  ],
)
