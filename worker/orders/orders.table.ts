import { sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { FULFILMENT, ORDER_STATUSES, REFUND_REASONS, type ShippingAddress } from '../contract/orders'
import { products } from '../products/products.table'
import { users } from '../users/users.table'

/**
 * One order of one product, written before the provider hears of it. Only a paid order is revenue (ruling 3). What is
 * checked beside the CHECKs below, and how `held` moves the stock, is done by triggers (migration 0007).
 */
export const orders = sqliteTable(
  'orders',
  {
    id: text('id').primaryKey(),
    productId: text('product_id')
      .notNull()
      .references(() => products.id),
    quantity: integer('quantity').notNull(),
    /** What one cost when ordered, before the discount. */
    unitPriceCents: integer('unit_price_cents').notNull(),
    discountCents: integer('discount_cents').notNull().default(0),
    amountCents: integer('amount_cents').notNull(),
    status: text('status', { enum: ORDER_STATUSES }).notNull(),
    createdAt: integer('created_at').notNull(),
    paidAt: integer('paid_at'),
    /** Null for a visitor's order. */
    userId: integer('user_id').references(() => users.id),
    /** SHA-256 of the buyer's checkout key: one open order for each key and product. */
    checkoutKeyHash: text('checkout_key_hash'),
    /** Pieces of the stock that this order has taken: all of `quantity` or none. A trigger moves the product's stock. */
    held: integer('held').notNull().default(0),
    reservedUntil: integer('reserved_until'),
    /** Who keeps the pieces reserved: an account, or a keyed hash of a visitor's address. Forgotten once that is over. */
    holder: text('holder'),
    provider: text('provider', { enum: ['stripe', 'test'] }),
    /** No card was or will be charged. */
    isTest: integer('is_test', { mode: 'boolean' }).notNull().default(false),
    paymentIntentId: text('payment_intent_id'),
    /** SHA-256 of what the browser confirms the payment with; the secret itself is not kept. */
    clientSecretHash: text('client_secret_hash'),
    /** The provider's intent could still be charged. */
    intentOpen: integer('intent_open', { mode: 'boolean' }).notNull().default(false),
    /** Counts the changes of what is to be paid; part of the idempotency key. */
    revision: integer('revision').notNull().default(1),
    /** The revision that the provider is known to have. */
    intentRevision: integer('intent_revision').notNull().default(0),
    /** Counts the calls that failed at the provider, which keeps a failure under its idempotency key: part of the next. */
    providerAttempt: integer('provider_attempt').notNull().default(1),
    promotionCode: text('promotion_code'),
    email: text('email'),
    shippingAddress: text('shipping_address', { mode: 'json' }).$type<ShippingAddress>(),
    /** When the buyer added on the receipt what was missing; null where the checkout had it all. */
    addressAddedAt: integer('address_added_at'),
    /** What the provider says went back, in all. */
    refundedCents: integer('refunded_cents').notNull().default(0),
    refundReason: text('refund_reason', { enum: REFUND_REASONS }),
    /** A refund is ours to make since then; the sweep makes it again until the provider has taken it. */
    refundWantedAt: integer('refund_wanted_at'),
    refundSentAt: integer('refund_sent_at'),
    /** When the provider last said that all of it had gone back: a failure from before that is settled. */
    refundedAt: integer('refunded_at'),
    /** The provider refused it, or it failed on its way: for a person, who may have it made again. */
    refundRefusedAt: integer('refund_refused_at'),
    /** Counts the refunds that a person asked for; part of the idempotency key: a refusal is not replayed. */
    refundAttempt: integer('refund_attempt').notNull().default(1),
    /** When the bank last took the money back for its customer, and when it last gave it again. */
    disputedAt: integer('disputed_at'),
    /** What the last dispute took, which may be a part. Null before there was one; all of it where it is not known. */
    disputedCents: integer('disputed_cents'),
    disputeWonAt: integer('dispute_won_at'),
    /** How often the provider did not answer in a row, and when it is asked again: the others come first meanwhile. */
    tries: integer('tries').notNull().default(0),
    retryAt: integer('retry_at').notNull().default(0),
    fulfilment: text('fulfilment', { enum: FULFILMENT }).notNull().default('unfulfilled'),
    /** When the parcel last left; null before, and where that was not written down. */
    shippedAt: integer('shipped_at'),
    tracking: text('tracking').notNull().default(''),
    /** The buyer's account is gone: address and mailbox are kept until the parcel or the money has gone, and not longer. */
    forgetWantedAt: integer('forget_wanted_at'),
  },
  (t) => [
    check('orders_status', sql`${t.status} in ('pending', 'paid', 'failed', 'expired', 'refunded')`),
    check(
      'orders_amount',
      sql`${t.amountCents} = ${t.quantity} * ${t.unitPriceCents} - ${t.discountCents} and ${t.amountCents} >= 0`,
    ),
    check('orders_quantity', sql`${t.quantity} > 0`),
    index('orders_revenue').on(t.status, t.paidAt, t.amountCents, t.refundedCents),
    uniqueIndex('orders_one_open')
      .on(t.checkoutKeyHash, t.productId)
      .where(sql`status in ('pending', 'failed') and checkout_key_hash is not null`),
    uniqueIndex('orders_by_intent').on(t.paymentIntentId).where(sql`payment_intent_id is not null`),
    index('orders_by_buyer').on(t.userId, t.createdAt).where(sql`user_id is not null`),
    index('orders_by_holder').on(t.holder).where(sql`holder is not null`),
    index('orders_newest').on(t.createdAt, t.id),
    index('orders_due').on(t.reservedUntil).where(sql`status in ('pending', 'failed')`),
    index('orders_by_mailbox').on(sql`lower(${t.email})`).where(sql`email is not null`),
    index('orders_to_forget').on(t.forgetWantedAt).where(sql`forget_wanted_at is not null`),
    // What was typed and never paid.
    index('orders_abandoned')
      .on(t.createdAt)
      .where(sql`status in ('failed', 'expired') and (email is not null or shipping_address is not null)`),
    index('orders_to_close').on(t.retryAt).where(sql`intent_open = 1 and status = 'expired'`),
    index('orders_to_refund').on(t.retryAt).where(sql`refund_wanted_at is not null and refund_sent_at is null`),
    index('orders_refund_refused').on(t.refundRefusedAt).where(sql`refund_refused_at is not null`),
  ],
)

/** The codes of the broadcast channel; the one that has not ended is taken. */
export const promotionCodes = sqliteTable(
  'promotion_codes',
  {
    /** In capitals. */
    code: text('code').primaryKey(),
    discountCents: integer('discount_cents').notNull(),
    createdAt: integer('created_at').notNull(),
    endedAt: integer('ended_at'),
  },
  (t) => [
    check('promotion_codes_discount', sql`${t.discountCents} > 0`),
    uniqueIndex('promotion_codes_one').on(sql`(ended_at is null)`).where(sql`ended_at is null`),
  ],
)
