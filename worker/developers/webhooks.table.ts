import { sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import type { WebhookEventType } from '../contract/developers'

/** Addresses that receive events. */
export const webhooks = sqliteTable(
  'webhooks',
  {
    id: text('id').primaryKey(),
    url: text('url').notNull(),
    events: text('events', { mode: 'json' }).$type<WebhookEventType[]>().notNull(),
    /** Encrypted signing secret. */
    encryptedSecret: text('sealed_secret').notNull(),
    /** The secret before the last rotation. Until `previousUntil`, requests are signed with both. */
    previousEncryptedSecret: text('previous_sealed_secret'),
    previousUntil: integer('previous_until'),
    createdAt: integer('created_at').notNull(),
    disabledAt: integer('disabled_at'),
    /**
     * `off`: by an owner. `gone`: by a 410 response. `failing`: by a delivery whose attempts all failed, while no other
     * was delivered since it was created.
     */
    disabledReason: text('disabled_reason', { enum: ['off', 'failing', 'gone'] }),
  },
  (t) => [
    check('webhooks_events', sql`json_valid(${t.events})`),
    check('webhooks_disabled', sql`(${t.disabledAt} is null) = (${t.disabledReason} is null)`),
  ],
)

export type DeliveryAttempt = { at: number; status: number | null; milliseconds: number; error: string | null }

/**
 * Outbox of webhooks: a row for each event and webhook. Triggers insert most of them in the batch of the event
 * (migration 0067). An event's id is derived from its cause, so a repeated cause is reported once.
 */
export const webhookDeliveries = sqliteTable(
  'webhook_deliveries',
  {
    id: text('id').primaryKey(),
    webhookId: text('webhook_id')
      .notNull()
      .references(() => webhooks.id, { onDelete: 'cascade' }),
    /** What happened, and to what: `evt_order_paid_<order>`. Has no dot, because dots separate the signed parts. */
    eventId: text('event_id').notNull(),
    eventType: text('event_type').notNull(),
    data: text('data').notNull(),
    state: text('state', { enum: ['waiting', 'delivered', 'failed'] })
      .notNull()
      .default('waiting'),
    /** Number of attempts since the delivery was created or last replayed. */
    tries: integer('tries').notNull().default(0),
    /** Earliest time of the next attempt; while one is under way, when it counts as lost. */
    dueAt: integer('due_at').notNull().default(0),
    /** When the queue delivers its latest message, which may be delayed; null if one is still to be sent. */
    queuedAt: integer('queued_at'),
    attempts: text('attempts', { mode: 'json' }).$type<DeliveryAttempt[]>().notNull().default([]),
    createdAt: integer('created_at').notNull(),
    deliveredAt: integer('delivered_at'),
  },
  (t) => [
    check('webhook_deliveries_state', sql`${t.state} in ('waiting', 'delivered', 'failed')`),
    check('webhook_deliveries_json', sql`json_valid(${t.data}) and json_valid(${t.attempts})`),
    uniqueIndex('webhook_deliveries_once').on(t.webhookId, t.eventId),
    index('webhook_deliveries_newest').on(t.webhookId, t.createdAt),
    index('webhook_deliveries_due').on(t.dueAt).where(sql`state = 'waiting'`),
    index('webhook_deliveries_age').on(t.createdAt),
  ],
)
