import * as z from 'zod/mini'
import { MAX_ORDER_LINES, ShippingAddress, ShippingMethod } from './checkout'
import { get, listQuery, managers, patch, post, user, visitor } from './endpoint'
import { emailAddress, href, line, optionalLine, timestamp } from './fields'
import { OrderTax, PriceBreakdown } from './pricing'
import { PRODUCT_KINDS } from './products'

/**
 * `pending`: stock is reserved, nothing is paid. `failed`: a card was declined, another can be tried. `expired`: not
 * paid within 15 minutes, canceled, or paid but not fulfillable (UNFULFILLABLE_REASONS) and not refunded yet.
 */
export const ORDER_STATUSES = ['pending', 'paid', 'failed', 'expired', 'refunded'] as const
export type OrderStatus = (typeof ORDER_STATUSES)[number]

/**
 * `late`: paid after the reservation expired. `sold_out`: paid in time, but the stock was gone. `amount`: paid before
 * the total was final, or after it had changed. `elsewhere`: refunded at the provider.
 */
export const REFUND_REASONS = ['late', 'sold_out', 'amount', 'requested', 'disputed', 'elsewhere'] as const

/** Refund reasons of payments whose order could not be fulfilled. */
export const UNFULFILLABLE_REASONS = ['late', 'sold_out', 'amount'] as const

export const FULFILMENT_STATUSES = ['unfulfilled', 'packed', 'shipped', 'delivered'] as const
export type Fulfilment = (typeof FULFILMENT_STATUSES)[number]

/** One line of an order, as sold. Money is in cents; the lines' shares of discount and tax add up to the order's. */
export const OrderLine = z.object({
  id: z.string(),
  productId: z.string(),
  variantId: z.string(),
  productName: z.string(),
  /** 'M'; empty if the product had one variant. */
  variantName: z.string(),
  imageUrl: href,
  kind: z.enum(PRODUCT_KINDS),
  quantity: z.int(),
  unitPriceCents: z.int(),
  discountCents: z.int(),
  taxCents: z.int(),
  refundedQuantity: z.int(),
  refundedCents: z.int(),
  /** The product is a pre-order until then; null if it is available. */
  releasesAt: z.nullable(timestamp),
})
export type OrderLine = z.infer<typeof OrderLine>

/** An order for its buyer. */
export const Order = z.object({
  id: z.string(),
  status: z.enum(ORDER_STATUSES),
  /** Explains a status that needs it (late payment, refund, dispute); else null. */
  message: z.nullable(z.string()),
  lines: z.array(OrderLine),
  breakdown: PriceBreakdown,
  /** Null without tax. */
  tax: z.nullable(OrderTax),
  shippingMethod: z.nullable(ShippingMethod),
  discountCode: z.nullable(z.string()),
  /** Product of the first line. */
  productId: z.string(),
  /** 'Hoodie (M)', 'Hoodie (M) and 2 more'. */
  productName: z.string(),
  imageUrl: href,
  /** Whether a line is shipped. */
  ships: z.boolean(),
  /** Units of all lines. */
  quantity: z.int(),
  /** Unit price of the first line. */
  unitPriceCents: z.int(),
  discountCents: z.int(),
  amountCents: z.int(),
  refundedCents: z.int(),
  createdAt: timestamp,
  paidAt: z.nullable(timestamp),
  /** While pending or failed: until when the order can be paid. */
  reservedUntil: z.nullable(timestamp),
  fulfilment: z.enum(FULFILMENT_STATUSES),
  /** May be empty. */
  carrier: z.string(),
  /** Tracking number or note; may be empty. */
  tracking: z.string(),
  /** Null until given. */
  email: z.nullable(z.string()),
  shippingAddress: z.nullable(ShippingAddress),
  /** A paid order to be shipped has no address or email yet; the buyer can add them. */
  addressMissing: z.boolean(),
  /** A test payment: no card was charged. */
  test: z.boolean(),
})
export type Order = z.infer<typeof Order>

/** An order in the supporter's list. */
export const MyOrder = z.object({
  id: z.string(),
  status: z.enum(ORDER_STATUSES),
  productName: z.string(),
  quantity: z.int(),
  amountCents: z.int(),
  refundedCents: z.int(),
  fulfilment: z.enum(FULFILMENT_STATUSES),
  createdAt: timestamp,
  /** URL of the receipt with its secret: `/orders/{id}?token=...`. */
  receiptUrl: href,
})
export type MyOrder = z.infer<typeof MyOrder>

export const ordersApi = {
  order: get('/api/orders/:id', Order, {
    ...visitor,
    description:
      "`?client_secret=` is the payment's client secret or the receipt's `token`. 404 `not_found` otherwise.",
    query: ['client_secret'],
  }),
  addAddress: post(
    '/api/orders/:id/address',
    z.strictObject({
      clientSecret: line(300, 'The client secret'),
      email: z.optional(emailAddress),
      shippingAddress: z.optional(ShippingAddress),
    }),
    Order,
    {
      ...visitor,
      description:
        'Adds what a paid order lacks for shipping. `clientSecret` is either secret of the order. 400 while something is missing; 409 `conflict` if nothing is missing, or if the order is unpaid or shipped.',
      starts: 'deliver_webhooks',
    },
  ),
  myOrders: get('/api/account/orders', z.array(MyOrder), {
    ...user,
    description: 'Orders that were ever paid, newest first, 50 per page; next page in `Link`.',
    query: ['cursor'],
  }),
}

/** The email address is masked until revealed. */
export const AdminOrder = z.object({
  id: z.string(),
  status: z.enum(ORDER_STATUSES),
  refundReason: z.nullable(z.enum(REFUND_REASONS)),
  /** The provider rejected the refund; it can be requested again. */
  refundRefused: z.boolean(),
  fulfilment: z.enum(FULFILMENT_STATUSES),
  carrier: z.string(),
  tracking: z.string(),
  lines: z.array(
    z.object({
      ...OrderLine.shape,
      sku: z.string(),
      restockedQuantity: z.int(),
      /** Contents of one bundle; otherwise empty. */
      items: z.array(z.object({ name: z.string(), quantity: z.int() })),
    }),
  ),
  breakdown: PriceBreakdown,
  shippingMethod: z.nullable(ShippingMethod),
  /** Refunded shipping, with its tax. */
  refundedShippingCents: z.int(),
  /** Product of the first line. */
  productId: z.string(),
  /** 'Hoodie (M) and 2 more'. */
  productName: z.string(),
  /** Units of all lines. */
  quantity: z.int(),
  /** Unit price of the first line. */
  unitPriceCents: z.int(),
  discountCents: z.int(),
  amountCents: z.int(),
  refundedCents: z.int(),
  discountCode: z.nullable(z.string()),
  /** The same as `discountCode`. */
  promotionCode: z.nullable(z.string()),
  /** A line is released later. */
  isPreorder: z.boolean(),
  /** Null for a visitor's order. */
  username: z.nullable(z.string()),
  /** Masked: `j…@mail.example`; null without one. */
  email: z.nullable(z.string()),
  hasAddress: z.boolean(),
  /** Where an order without shipped goods is taxed, as entered by the buyer. Null without one. */
  taxLocation: z.nullable(z.object({ country: z.string(), state: z.string() })),
  /** A paid order to be shipped has no address or email yet. */
  addressMissing: z.boolean(),
  /** When the buyer added the address after paying; null if given at checkout. */
  addressAddedAt: z.nullable(timestamp),
  createdAt: timestamp,
  paidAt: z.nullable(timestamp),
  refundable: z.boolean(),
  /** A dispute or a bank's inquiry that is open: the order must not be shipped. Null otherwise. */
  dispute: z.nullable(
    z.object({
      openedAt: timestamp,
      /** The bank's deadline for a response at the provider. */
      respondBy: z.nullable(timestamp),
    }),
  ),
  test: z.boolean(),
})
export type AdminOrder = z.infer<typeof AdminOrder>

export const ORDER_EVENT_KINDS = [
  'placed',
  'paid',
  'address_added',
  'unfulfilled',
  'packed',
  'shipped',
  'delivered',
  'revealed',
  'printed',
  'refund_requested',
  'refund_sent',
  'refund_rejected',
  'refunded',
  'disputed',
  'dispute_won',
  'email_receipt',
  'email_shipped',
  'email_refund',
] as const

/** An event in the history of an order. */
export const OrderEvent = z.object({
  kind: z.enum(ORDER_EVENT_KINDS),
  at: timestamp,
  /** The admin who did it; null for buyers and the payment provider. */
  actor: z.nullable(z.string()),
  amountCents: z.nullable(z.int()),
  /** The reason of a refund. */
  note: z.nullable(z.string()),
})
export type OrderEvent = z.infer<typeof OrderEvent>

/** The buyer: a supporter's account, or the guest who placed the order. */
const OrderCustomer = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('supporter'), id: z.string(), username: z.string() }),
  z.object({ kind: z.literal('guest'), orderId: z.string(), email: z.string() }),
])

export const AdminOrderRecord = z.extend(AdminOrder, {
  /** Oldest first. */
  events: z.array(OrderEvent),
  /** Null for a guest without an email address. */
  customer: z.nullable(OrderCustomer),
})
export type AdminOrderRecord = z.infer<typeof AdminOrderRecord>

/** Number of orders that a customer has paid, their sum before refunds, and the refunds. */
export const CustomerTotals = z.object({ orders: z.int(), paidCents: z.int(), refundedCents: z.int() })

/** A guest: the orders that were placed with one email address and without an account. */
export const Customer = z.object({
  /** Masked. */
  email: z.string(),
  totals: CustomerTotals,
  /** Newest first, at most 200. */
  orders: z.array(AdminOrder),
})
export type Customer = z.infer<typeof Customer>

/**
 * Views of the orders by their next step: `pack` can be shipped now, `preorders` wait for a release. Checkouts that
 * were never paid are only in `all`.
 */
export type OrderTab = 'pack' | 'shipped' | 'preorders' | 'refunds' | 'all'

const carrier = optionalLine(40, 'The carrier')
const tracking = optionalLine(100, 'The tracking number')

const MAX_BULK_ORDERS = 50

/** Result for one order of a bulk request. */
export const ShipmentResult = z.object({
  id: z.string(),
  /** Why the order was not marked as shipped; null if it was. */
  error: z.nullable(z.string()),
})
export type ShipmentResult = z.infer<typeof ShipmentResult>

/** An order to pack, with its unmasked address. */
export const PackingSlip = z.object({ order: AdminOrder, shippingAddress: z.nullable(ShippingAddress) })
export type PackingSlip = z.infer<typeof PackingSlip>

/** Value of `?fulfilment=` for paid orders without the address or email that shipping needs. */
export const ADDRESS_MISSING = 'address_missing'

/** The active code of the broadcast channel; other promotion codes are discounts. */
export const BroadcastCode = z.object({
  code: z.string(),
  /** Discount per order. */
  discountCents: z.int(),
  createdAt: timestamp,
  /** Paid orders that used it. */
  uses: z.int(),
})
export type BroadcastCode = z.infer<typeof BroadcastCode>

/** A payment event for manual review: one that does not match its order, a bank inquiry, or a rejected refund. */
export const ParkedEvent = z.object({
  id: z.string(),
  type: z.string(),
  /** Why the event was parked. */
  reason: z.string(),
  orderId: z.nullable(z.string()),
  paymentIntentId: z.nullable(z.string()),
  receivedAt: timestamp,
  /** An administrator can remove it from the list. */
  dismissable: z.boolean(),
})
export type ParkedEvent = z.infer<typeof ParkedEvent>

/** Without `lines` and `shippingCents`: the whole order, or what is left of it. */
export const RefundRequest = z
  .strictObject({
    reason: line(200, 'The reason'),
    lines: z.optional(
      z
        .array(
          z.strictObject({
            lineId: line(80, 'The line'),
            quantity: z
              .int('The quantity must be a whole number.')
              .check(z.minimum(1, 'The quantity must be at least 1.')),
            /** The units return to stock. */
            restock: z.boolean(),
          }),
        )
        .check(
          z.maxLength(MAX_ORDER_LINES, `An order has at most ${MAX_ORDER_LINES} lines.`),
          z.refine(
            (lines) => new Set(lines.map(({ lineId }) => lineId)).size === lines.length,
            'A line is in the list twice.',
          ),
        ),
    ),
    /** Part of the shipping, with its tax, to refund. */
    shippingCents: z.optional(z.int().check(z.nonnegative('The shipping refund cannot be negative.'))),
  })
  .check(
    z.refine(({ lines, shippingCents }) => {
      const isWholeOrder = lines === undefined && shippingCents === undefined
      return isWholeOrder || (lines ?? []).length > 0 || (shippingCents ?? 0) > 0
    }, 'Please choose what to refund.'),
  )
export type RefundRequest = z.infer<typeof RefundRequest>

export const adminOrdersApi = {
  orders: get('/api/admin/orders', z.array(AdminOrder), {
    ...managers,
    description:
      'Newest first, 50 per page; `?q=` searches id, product, username and whole email address. Filters `tab`, `status`, `fulfilment`, `placed`; sorts `placed`, `amount`. 400 `bad_input` for an unknown filter.',
    query: listQuery('tab', 'status', 'fulfilment', 'placed'),
  }),
  order: get('/api/admin/orders/:id', AdminOrderRecord, {
    ...managers,
    description: 'With its events and its customer. 404 `not_found`.',
  }),
  customer: get('/api/admin/customers/:orderId', Customer, {
    ...managers,
    description: "The guest who placed this order. 404 `not_found`, also for a supporter's order.",
  }),
  reveal: post(
    '/api/admin/orders/:id/reveal',
    null,
    z.object({ email: z.nullable(z.string()), shippingAddress: z.nullable(ShippingAddress) }),
    { ...managers, recentAuth: true, description: 'Email and shipping address; audited. 404 `not_found`.' },
  ),
  updateFulfilment: patch(
    '/api/admin/orders/:id',
    z.strictObject({
      fulfilment: z.enum(FULFILMENT_STATUSES),
      carrier: z.optional(carrier),
      tracking: z.optional(tracking),
    }),
    AdminOrder,
    {
      ...managers,
      description: '409 `conflict` if the order is unpaid, refunded before its shipment, or disputed; 404 `not_found`.',
    },
  ),
  packingSlips: post(
    '/api/admin/packing-slips',
    z.strictObject({
      orders: z
        .array(line(80, 'The order'))
        .check(
          z.minLength(1, 'Please choose an order.'),
          z.maxLength(MAX_BULK_ORDERS, `At most ${MAX_BULK_ORDERS} orders can be printed at once.`),
        ),
    }),
    z.array(PackingSlip),
    {
      ...managers,
      recentAuth: true,
      description:
        'These orders with their addresses, for packing, slips and labels; audited for each order. 404 if none exists.',
    },
  ),
  ship: post(
    '/api/admin/shipments',
    z.strictObject({
      orders: z
        .array(
          z.strictObject({ id: line(80, 'The order'), carrier: z.optional(carrier), tracking: z.optional(tracking) }),
        )
        .check(
          z.minLength(1, 'Please choose an order.'),
          z.maxLength(MAX_BULK_ORDERS, `At most ${MAX_BULK_ORDERS} orders can be shipped at once.`),
          z.refine(
            (orders) => new Set(orders.map(({ id }) => id)).size === orders.length,
            'An order is in the list twice.',
          ),
        ),
    }),
    z.array(ShipmentResult),
    {
      ...managers,
      description:
        'Marks orders as shipped and emails each buyer once. Orders succeed or fail independently. 404 if none exists.',
    },
  ),
  refund: post('/api/admin/orders/:id/refund', RefundRequest, AdminOrder, {
    ...managers,
    recentAuth: true,
    description:
      "Refunds the whole order once, or what is left of it; with `lines` or `shippingCents` only those. Failed calls are retried. `status` stays `paid`, with `refundReason` set for the whole order, until the provider's webhook. 400 `bad_input` for more than is left; 409 `conflict` unless paid through the configured provider.",
  }),
  broadcastCode: get('/api/admin/promotion-code', z.nullable(BroadcastCode), {
    ...managers,
    description: 'Null before the first one.',
  }),
  rotateBroadcastCode: post(
    '/api/admin/promotion-code/rotate',
    z.strictObject({
      code: z.optional(
        z.string().check(z.regex(/^[A-Za-z0-9-]{4,24}$/, 'A code has 4 to 24 letters, digits or hyphens.')),
      ),
    }),
    BroadcastCode,
    {
      ...managers,
      description:
        'Replaces the code with the given one or a random one. 409 `conflict` for any code that was ever in use.',
    },
  ),
  parkedEvents: get('/api/admin/payments/parked', z.array(ParkedEvent), {
    ...managers,
    description: 'Rejected refunds first, then newest, at most 50.',
  }),
  dismissParkedEvent: post('/api/admin/payments/parked/:id/seen', null, null, {
    ...managers,
    description: 'Removes an event from the list. 404 `not_found`.',
  }),
}
