import * as z from 'zod/mini'
import { get, post } from './endpoint'
import { ShippingAddress } from './shipping-address'
import { emailAddress, href, line, timestamp } from './text'

export type { ShippingAddress } from './shipping-address'

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
