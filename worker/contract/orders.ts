import * as z from 'zod/mini'
import { administrator, get, patch, post } from './endpoint'
import { emailAddress, href, line, optionalLine, ShippingAddress, timestamp } from './fields'

export type { ShippingAddress } from './fields'

/**
 * `pending`: stock is kept and nothing is paid. `failed`: a card was declined; another may be tried. `expired`: the 15
 * minutes are over, or the payment was called off. `paid`. `refunded`: the money went back, whoever asked for it.
 */
export const ORDER_STATUSES = ['pending', 'paid', 'failed', 'expired', 'refunded'] as const
export type OrderStatus = (typeof ORDER_STATUSES)[number]

/**
 * Why money goes back: `late`, it came when the order's time was over; `sold_out`, in time, but somebody else had the
 * last one; `amount`, it was another sum than the order's, which was changed while it was being paid; `requested` by
 * an administrator; `disputed` with the bank; `elsewhere`, made at the provider.
 */
export const REFUND_REASONS = ['late', 'sold_out', 'amount', 'requested', 'disputed', 'elsewhere'] as const

export const FULFILMENT = ['unfulfilled', 'packed', 'shipped', 'delivered'] as const
export type Fulfilment = (typeof FULFILMENT)[number]

/** An order as its buyer reads it. */
export const Order = z.object({
  id: z.string(),
  status: z.enum(ORDER_STATUSES),
  /**
   * A sentence for the buyer where the status alone would puzzle: a payment that came too late and goes back, a
   * refund, a dispute. Null otherwise.
   */
  message: z.nullable(z.string()),
  productId: z.string(),
  productName: z.string(),
  imageUrl: href,
  ships: z.boolean(),
  quantity: z.int(),
  unitPriceCents: z.int(),
  discountCents: z.int(),
  amountCents: z.int(),
  refundedCents: z.int(),
  createdAt: timestamp,
  paidAt: z.nullable(timestamp),
  /** While pending or failed: until when the order may be paid. */
  reservedUntil: z.nullable(timestamp),
  fulfilment: z.enum(FULFILMENT),
  /** The carrier's words or number; empty until there are some. */
  tracking: z.string(),
  /** Null until the buyer gave one. */
  email: z.nullable(z.string()),
  shippingAddress: z.nullable(ShippingAddress),
  /** It is paid and to be sent, and its address or its mailbox is missing: the buyer can add it. */
  addressMissing: z.boolean(),
  /** A test payment: no card was charged. */
  test: z.boolean(),
})
export type Order = z.infer<typeof Order>

/** A line of the supporter's own list. */
export const MyOrder = z.object({
  id: z.string(),
  status: z.enum(ORDER_STATUSES),
  productName: z.string(),
  quantity: z.int(),
  amountCents: z.int(),
  refundedCents: z.int(),
  fulfilment: z.enum(FULFILMENT),
  createdAt: timestamp,
  /** The receipt's page on this site with its secret: `/orders/{id}?token=...`. */
  receiptUrl: href,
})
export type MyOrder = z.infer<typeof MyOrder>

export const ordersApi = {
  /**
   * `?client_secret=` is the payment's client secret, or the `token` of the receipt's link (`/orders/{id}?token=`).
   * 404 `not_found` for anything else, known order or not.
   */
  order: get('/api/orders/:id', Order),
  /**
   * What a paid order lacks to be sent; what it has already stays as it is. `clientSecret` is either secret of the order.
   * The answer is the order as it then stands. 400 `bad_input` while something is still missing; 404 as above; 409
   * `conflict` for an order that lacks nothing, is not paid, or has left.
   */
  addAddress: post(
    '/api/orders/:id/address',
    z.strictObject({
      clientSecret: line(300, 'The client secret'),
      email: z.optional(emailAddress),
      shippingAddress: z.optional(ShippingAddress),
    }),
    Order,
  ),
  /** Orders that were ever paid, newest first, 50 a page; `?cursor=` of the next stands in `Link: <...>; rel="next"`. */
  myOrders: get('/api/account/orders', z.array(MyOrder), { role: 'supporter' }),
}

/** An order as the desk lists it: the address is masked until it is revealed (ruling 8). */
export const AdminOrder = z.object({
  id: z.string(),
  status: z.enum(ORDER_STATUSES),
  refundReason: z.nullable(z.enum(REFUND_REASONS)),
  /** The provider refused the refund, or it failed on its way: it can be asked for again. */
  refundRefused: z.boolean(),
  fulfilment: z.enum(FULFILMENT),
  tracking: z.string(),
  productId: z.string(),
  productName: z.string(),
  quantity: z.int(),
  unitPriceCents: z.int(),
  discountCents: z.int(),
  amountCents: z.int(),
  refundedCents: z.int(),
  promotionCode: z.nullable(z.string()),
  /** Null for a visitor's order. */
  username: z.nullable(z.string()),
  /** Masked: `j…@mail.example`; null when none was given. */
  email: z.nullable(z.string()),
  hasAddress: z.boolean(),
  /** It is paid and to be sent, and nobody knows where to or whom to ask: no address, or no mailbox. */
  addressMissing: z.boolean(),
  /** When the buyer added what was missing, after paying; null where the checkout had it all. */
  addressAddedAt: z.nullable(timestamp),
  createdAt: timestamp,
  paidAt: z.nullable(timestamp),
  /** Whether a refund can be asked for now. */
  refundable: z.boolean(),
  test: z.boolean(),
})
export type AdminOrder = z.infer<typeof AdminOrder>

/** Beside the states of a parcel, for `?fulfilment=`: those that cannot be sent. */
export const ADDRESS_MISSING = 'address_missing'

/** The code of the broadcast channel: there is one at a time. */
export const PromotionCode = z.object({
  code: z.string(),
  /** Taken off an order. */
  discountCents: z.int(),
  createdAt: timestamp,
  /** Paid orders that used it. */
  uses: z.int(),
})
export type PromotionCode = z.infer<typeof PromotionCode>

/**
 * What a person has to look at: a verified event of the provider that does not fit the order that it names and changed
 * nothing, a bank's question about a payment, a refund that was refused (it leaves the list once it is made).
 */
export const ParkedEvent = z.object({
  id: z.string(),
  type: z.string(),
  /** A sentence. */
  reason: z.string(),
  orderId: z.nullable(z.string()),
  paymentIntentId: z.nullable(z.string()),
  receivedAt: timestamp,
  /** It can be taken off the list once somebody has seen it. */
  dismissable: z.boolean(),
})
export type ParkedEvent = z.infer<typeof ParkedEvent>

export const adminOrdersApi = {
  /**
   * Newest first, 50 a page; `?q=` finds in id, product, user name and address, `?status=` and `?fulfilment=` keep one, `?fulfilment=address_missing` what cannot be sent,
   * `?cursor=` of the next page stands in `Link: <...>; rel="next"`. 400 `bad_input` for a filter that is none.
   */
  orders: get('/api/admin/orders', z.array(AdminOrder), administrator),
  /** Who it goes to, in full; written to the audit. 404 `not_found`. */
  reveal: post(
    '/api/admin/orders/:id/reveal',
    null,
    z.object({ email: z.nullable(z.string()), shippingAddress: z.nullable(ShippingAddress) }),
    administrator,
  ),
  /** Where the parcel is. 409 `conflict` unless the order is paid, or while what has not left is being refunded; 404. */
  updateFulfilment: patch(
    '/api/admin/orders/:id',
    z.strictObject({ fulfilment: z.enum(FULFILMENT), tracking: z.optional(optionalLine(100, 'The tracking number')) }),
    AdminOrder,
    administrator,
  ),
  /**
   * The whole order's money back, once; the answer's `status` follows the provider's webhook and so may still be
   * `paid`, with `refundReason` set: what the provider did not take is made again by the sweep. A refund that was
   * refused can be asked for again. 409 `conflict` unless the order is paid through the payments that are set up now;
   * 404; 503 `payments_off`.
   */
  refund: post(
    '/api/admin/orders/:id/refund',
    z.strictObject({ reason: line(200, 'The reason') }),
    AdminOrder,
    administrator,
  ),
  /** Null until a first one is made. */
  promotionCode: get('/api/admin/promotion-code', z.nullable(PromotionCode), administrator),
  /** Ends the code that is there and begins a new one: the given one, or one drawn. 409 `conflict` for one used before. */
  rotatePromotionCode: post(
    '/api/admin/promotion-code/rotate',
    z.strictObject({
      code: z.optional(
        z.string().check(z.regex(/^[A-Za-z0-9-]{4,24}$/, 'A code has 4 to 24 letters, digits or hyphens.')),
      ),
    }),
    PromotionCode,
    administrator,
  ),
  /** Refused refunds first, then the newest, at most 50. */
  parkedEvents: get('/api/admin/payments/parked', z.array(ParkedEvent), administrator),
  /** Takes an event off that list. 404 `not_found` for one that is not on it. */
  dismissParkedEvent: post('/api/admin/payments/parked/:id/seen', null, null, administrator),
}
