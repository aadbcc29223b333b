import { sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import type { ShippingAddress, ShippingMethod, TaxLocation } from '../contract/checkout'
import { FULFILMENT_STATUSES, ORDER_STATUSES, REFUND_REASONS } from '../contract/orders'
import { PRODUCT_KINDS } from '../contract/products'
import { products, productVariants } from '../products/products.table'
import { users } from '../users/users.table'

const MISSING_AT_PRICING = ['person', 'destination', 'tax_location'] as const
export type MissingAtPricing = (typeof MISSING_AT_PRICING)[number]

/**
 * An order, inserted before the provider is called; `order_lines` has what was ordered. Only paid orders are revenue.
 * Triggers (migration 0051) check the sums and hold the stock of all lines with `held`.
 */
export const orders = sqliteTable(
  'orders',
  {
    id: text('id').primaryKey(),
    /** Product of the first line. */
    productId: text('product_id')
      .notNull()
      .references(() => products.id),
    /** Always 1; `unitPriceCents` is the total before the discount. Both exist for an old CHECK (decision 0022). */
    quantity: integer('quantity').notNull(),
    unitPriceCents: integer('unit_price_cents').notNull(),
    /** Sum of the lines' quantities. 0 only while a trigger adds the line of an order from before order lines. */
    units: integer('units').notNull().default(0),
    linesCents: integer('lines_cents').notNull().default(0),
    shippingCents: integer('shipping_cents').notNull().default(0),
    discountCents: integer('discount_cents').notNull().default(0),
    taxCents: integer('tax_cents').notNull().default(0),
    /** The prices include the tax, so that it does not add to the total. */
    taxIncluded: integer('tax_included', { mode: 'boolean' }).notNull().default(false),
    /** Name and rate of the tax: 'VAT' and 19000 for 19 %. Empty and null without tax, or with several rates. */
    taxName: text('tax_name').notNull().default(''),
    taxRatePer100k: integer('tax_rate_per_100k'),
    /** The calculation of Stripe Tax; null if the tax was computed from the admin's rates. */
    taxCalculationId: text('tax_calculation_id'),
    /** The total: lines + shipping - discount, plus tax that is not included. */
    amountCents: integer('amount_cents').notNull(),
    /** ISO 4217: `USD`. */
    currency: text('currency').notNull().default('USD'),
    /** The chosen method, with its price at that time. */
    shippingMethod: text('shipping_method', { mode: 'json' }).$type<ShippingMethod>(),
    /** Made from the lines of a cart, not from a single product. */
    isCart: integer('is_cart', { mode: 'boolean' }).notNull().default(false),
    /** Random per change of the lines: the batch's other statements apply only if the first one changed the order. */
    changeId: text('change_id'),
    status: text('status', { enum: ORDER_STATUSES }).notNull(),
    createdAt: integer('created_at').notNull(),
    paidAt: integer('paid_at'),
    /** Null for a visitor's order. */
    userId: integer('user_id').references(() => users.id),
    /** SHA-256 of the buyer's checkout key, which has one open order per product and one for the cart. */
    checkoutKeyHash: text('checkout_key_hash'),
    /** Stock taken by this order: `units` or 0. A trigger takes the stock of all lines or none. */
    held: integer('held').notNull().default(0),
    reservedUntil: integer('reserved_until'),
    /**
     * The buyer's account, and keyed hashes of device and network, to limit reservations. Removed when the reservation
     * ends.
     */
    holder: text('holder'),
    deviceHash: text('device_hash'),
    networkHash: text('network_hash'),
    provider: text('provider', { enum: ['stripe', 'test'] }),
    /** No card was or will be charged. */
    isTest: integer('is_test', { mode: 'boolean' }).notNull().default(false),
    paymentIntentId: text('payment_intent_id'),
    /** SHA-256 of the payment's client secret, which is not stored. */
    clientSecretHash: text('client_secret_hash'),
    /** The intent can still be paid. */
    intentOpen: integer('intent_open', { mode: 'boolean' }).notNull().default(false),
    /** Incremented with each change of the order's content; part of the idempotency key. */
    revision: integer('revision').notNull().default(1),
    /** The last revision the provider confirmed. */
    intentRevision: integer('intent_revision').notNull().default(0),
    /** Incremented after a ProviderFailed; part of the idempotency key. */
    providerAttempt: integer('provider_attempt').notNull().default(1),
    /** Code of the discount, whose uses are counted from this column. */
    promotionCode: text('promotion_code'),
    email: text('email'),
    shippingAddress: text('shipping_address', { mode: 'json' }).$type<ShippingAddress>(),
    /** Where an order without shipped goods is taxed. */
    taxLocation: text('tax_location', { mode: 'json' }).$type<TaxLocation>(),
    /** What the total still depended on when it was priced; null if nothing. A payment without it is refunded. */
    missing: text('missing', { enum: MISSING_AT_PRICING }),
    /** Hash of the input of the last tax calculation at the provider. */
    taxInputHash: text('tax_input_hash'),
    /** When the buyer added a missing address or email on the receipt page. */
    addressAddedAt: integer('address_added_at'),
    /** Sum of all refunds, as reported by the provider. */
    refundedCents: integer('refunded_cents').notNull().default(0),
    /** The part of `refundedCents` whose refunds failed, and when one last failed. */
    failedRefundCents: integer('failed_refund_cents').notNull().default(0),
    refundFailedAt: integer('refund_failed_at'),
    /** Shipping, with its tax, that partial refunds have returned. */
    refundedShippingCents: integer('refunded_shipping_cents').notNull().default(0),
    refundReason: text('refund_reason', { enum: REFUND_REASONS }),
    /** When a refund of the whole order was requested. It is sent until the provider accepts or rejects it. */
    refundRequestedAt: integer('refund_wanted_at'),
    /** When the provider accepted or rejected the request, or first reported a full refund. */
    refundSentAt: integer('refund_sent_at'),
    /** Time of the last event that reported a full refund. */
    refundedAt: integer('refunded_at'),
    /** The refund was rejected or failed: an administrator can send it again. */
    refundRejectedAt: integer('refund_refused_at'),
    /** Number of refund requests; part of the idempotency key, so a rejection is not replayed. */
    refundAttempt: integer('refund_attempt').notNull().default(1),
    /** When a dispute last withdrew the money. */
    disputedAt: integer('disputed_at'),
    /** Cents withdrawn by the last dispute; null before the first one. */
    disputedCents: integer('disputed_cents'),
    /** When a dispute last returned the money. */
    disputeWonAt: integer('dispute_won_at'),
    /** When a dispute or a bank's inquiry was last opened and closed, and the bank's deadline. */
    disputeOpenedAt: integer('dispute_opened_at'),
    disputeClosedAt: integer('dispute_closed_at'),
    disputeRespondBy: integer('dispute_respond_by'),
    /** Consecutive failed provider calls, and the time of the next one. */
    tries: integer('tries').notNull().default(0),
    retryAt: integer('retry_at').notNull().default(0),
    fulfilment: text('fulfilment', { enum: FULFILMENT_STATUSES }).notNull().default('unfulfilled'),
    /** When the order was last marked as shipped. */
    shippedAt: integer('shipped_at'),
    /** 'USPS'; empty if unknown. */
    carrier: text('carrier').notNull().default(''),
    tracking: text('tracking').notNull().default(''),
    /** The buyer's account is erased: email and address are removed when nothing is pending. */
    erasureRequestedAt: integer('forget_wanted_at'),
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
    uniqueIndex('orders_one_open_cart')
      .on(t.checkoutKeyHash)
      .where(sql`status in ('pending', 'failed') and checkout_key_hash is not null and is_cart = 1`),
    uniqueIndex('orders_by_intent').on(t.paymentIntentId).where(sql`payment_intent_id is not null`),
    index('orders_by_buyer').on(t.userId, t.createdAt).where(sql`user_id is not null`),
    index('orders_by_holder').on(t.holder).where(sql`holder is not null`),
    index('orders_by_device').on(t.deviceHash).where(sql`device_hash is not null`),
    index('orders_by_network').on(t.networkHash).where(sql`network_hash is not null`),
    index('orders_by_code').on(t.promotionCode, t.status).where(sql`promotion_code is not null`),
    index('orders_newest').on(t.createdAt, t.id),
    index('orders_by_amount').on(t.amountCents, t.id),
    index('orders_to_ship')
      .on(t.createdAt, t.id)
      .where(sql`status = 'paid' and fulfilment in ('unfulfilled', 'packed')`),
    index('orders_due').on(t.reservedUntil).where(sql`status in ('pending', 'failed')`),
    index('orders_by_mailbox').on(sql`lower(${t.email})`).where(sql`email is not null`),
    index('orders_to_forget').on(t.erasureRequestedAt).where(sql`forget_wanted_at is not null`),
    // Contact data of orders that were never paid.
    index('orders_abandoned')
      .on(t.createdAt)
      .where(
        sql`status in ('failed', 'expired') and (email is not null or shipping_address is not null or tax_location is not null)`,
      ),
    index('orders_to_close').on(t.retryAt).where(sql`intent_open = 1 and status = 'expired'`),
    index('orders_to_refund').on(t.retryAt).where(sql`refund_wanted_at is not null and refund_sent_at is null`),
    index('orders_refund_refused').on(t.refundRejectedAt).where(sql`refund_refused_at is not null`),
  ],
)

/** One variant of an order, as sold. The shares of discount and tax add up to the order's. */
export const orderLines = sqliteTable(
  'order_lines',
  {
    id: text('id').primaryKey(),
    orderId: text('order_id')
      .notNull()
      .references(() => orders.id),
    position: integer('position').notNull(),
    productId: text('product_id')
      .notNull()
      .references(() => products.id),
    variantId: text('variant_id')
      .notNull()
      .references(() => productVariants.id),
    productName: text('product_name').notNull(),
    variantName: text('variant_name').notNull(),
    kind: text('kind', { enum: PRODUCT_KINDS }).notNull(),
    quantity: integer('quantity').notNull(),
    /** Before the discount. */
    unitPriceCents: integer('unit_price_cents').notNull(),
    discountCents: integer('discount_cents').notNull().default(0),
    taxCents: integer('tax_cents').notNull().default(0),
    /** Stock taken by this line: its quantity without what was restocked, or 0. Triggers move the variant's stock. */
    held: integer('held').notNull().default(0),
    refundedCents: integer('refunded_cents').notNull().default(0),
    refundedQuantity: integer('refunded_quantity').notNull().default(0),
    /** Refunded units that are back in stock. */
    restockedQuantity: integer('restocked_quantity').notNull().default(0),
  },
  (t) => [
    check('order_lines_quantity', sql`${t.quantity} > 0`),
    check('order_lines_price', sql`${t.unitPriceCents} >= 0`),
    check('order_lines_discount', sql`${t.discountCents} between 0 and ${t.quantity} * ${t.unitPriceCents}`),
    check('order_lines_tax', sql`${t.taxCents} >= 0`),
    check('order_lines_held', sql`${t.held} in (0, ${t.quantity} - ${t.restockedQuantity})`),
    check('order_lines_refund', sql`${t.refundedCents} >= 0 and ${t.refundedQuantity} between 0 and ${t.quantity}`),
    check('order_lines_restock', sql`${t.restockedQuantity} between 0 and ${t.refundedQuantity}`),
    uniqueIndex('order_lines_position').on(t.orderId, t.position),
    uniqueIndex('order_lines_variant').on(t.orderId, t.variantId),
    index('order_lines_by_variant').on(t.variantId),
    index('order_lines_by_product').on(t.productId),
  ],
)

/** Units and cents that a refund takes from one line. */
export type RefundedLine = { lineId: string; quantity: number; cents: number; restock: boolean }

/** Refunds of some lines of an order. A refund of the whole order is in columns of `orders`. */
export const orderRefunds = sqliteTable(
  'order_refunds',
  {
    id: text('id').primaryKey(),
    orderId: text('order_id')
      .notNull()
      .references(() => orders.id),
    amountCents: integer('amount_cents').notNull(),
    /** Shipping and its tax, part of the amount. */
    shippingCents: integer('shipping_cents').notNull(),
    lines: text('lines', { mode: 'json' }).notNull().$type<RefundedLine[]>(),
    requestedAt: integer('requested_at').notNull(),
    /** When the provider accepted the refund. */
    sentAt: integer('sent_at'),
    /** When the provider rejected the refund, which then no longer counts. */
    rejectedAt: integer('refused_at'),
    /** Part of the idempotency key. */
    attempt: integer('attempt').notNull().default(1),
    /** Consecutive failed calls, and the time of the next one. */
    tries: integer('tries').notNull().default(0),
    retryAt: integer('retry_at').notNull().default(0),
  },
  (t) => [
    check('order_refunds_amount', sql`${t.amountCents} > 0 and ${t.shippingCents} between 0 and ${t.amountCents}`),
    check('order_refunds_lines', sql`json_valid(${t.lines})`),
    index('order_refunds_of_order').on(t.orderId),
    index('order_refunds_to_send').on(t.retryAt).where(sql`sent_at is null and refused_at is null`),
  ],
)
