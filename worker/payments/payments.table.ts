import { sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/**
 * Every verified event of the provider, by its id: written in the batch that changes what it tells of, so that an event
 * that is sent again changes nothing (ruling 23). No personal data.
 */
export const paymentEvents = sqliteTable(
  'payment_events',
  {
    id: text('id').primaryKey(),
    type: text('type').notNull(),
    /**
     * `parked`: fits nothing of ours, for a person to look at. `ignored`: of no use to us, or seen by that person, in
     * which case the reason still stands.
     */
    state: text('state', { enum: ['applied', 'parked', 'ignored'] }).notNull(),
    /** Why it was parked, a sentence. */
    reason: text('reason'),
    orderId: text('order_id'),
    paymentIntentId: text('payment_intent_id'),
    /** Drawn for each delivery: the statements behind it in the batch act only for the delivery that wrote the row. */
    delivery: text('delivery').notNull(),
    receivedAt: integer('received_at').notNull(),
  },
  (t) => [
    check('payment_events_state', sql`${t.state} in ('applied', 'parked', 'ignored')`),
    index('payment_events_by_age').on(t.receivedAt),
    index('payment_events_of_order').on(t.orderId).where(sql`order_id is not null`),
    index('payment_events_parked').on(t.receivedAt).where(sql`state = 'parked'`),
  ],
)

/** What the demo's test adapter, which is its own provider, keeps of its payments. Empty in production. */
export const testIntents = sqliteTable(
  'test_intents',
  {
    id: text('id').primaryKey(),
    /** One intent for each key, as a provider has it. */
    idempotencyKey: text('idempotency_key').notNull().unique(),
    orderId: text('order_id').notNull(),
    amountCents: integer('amount_cents').notNull(),
    refundedCents: integer('refunded_cents').notNull().default(0),
    status: text('status', { enum: ['open', 'succeeded', 'canceled'] })
      .notNull()
      .default('open'),
    createdAt: integer('created_at').notNull(),
    succeededAt: integer('succeeded_at'),
  },
  (t) => [
    check('test_intents_status', sql`${t.status} in ('open', 'succeeded', 'canceled')`),
    check('test_intents_refund', sql`${t.refundedCents} between 0 and ${t.amountCents}`),
  ],
)
