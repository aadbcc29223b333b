import { sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/**
 * Verified events of the provider. The row of an event that changes an order is inserted in the same batch, so a
 * repeated delivery changes nothing. No personal data.
 */
export const paymentEvents = sqliteTable(
  'payment_events',
  {
    id: text('id').primaryKey(),
    type: text('type').notNull(),
    /**
     * `parked`: an administrator must check it, e.g. because it matches no order. `ignored`: not used, or dismissed by
     * an administrator.
     */
    state: text('state', { enum: ['applied', 'parked', 'ignored'] }).notNull(),
    /** Why the event was parked, as shown to administrators. */
    reason: text('reason'),
    orderId: text('order_id'),
    paymentIntentId: text('payment_intent_id'),
    /** Random per delivery: later statements of the batch apply only if this delivery inserted the row. */
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

/** Payments of the demo's test provider. Empty in production. */
export const testIntents = sqliteTable(
  'test_intents',
  {
    id: text('id').primaryKey(),
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

/** Partial refunds at the demo's test provider, which make repeated calls idempotent. Empty in production. */
export const testRefunds = sqliteTable(
  'test_refunds',
  {
    id: text('id').primaryKey(),
    intentId: text('intent_id')
      .notNull()
      .references(() => testIntents.id),
    amountCents: integer('amount_cents').notNull(),
  },
  (t) => [check('test_refunds_amount', sql`${t.amountCents} > 0`), index('test_refunds_of_intent').on(t.intentId)],
)
