import * as z from 'zod/mini'
import { get, post } from './endpoint'
import { emailAddress, href, line, optionalLine, ShippingAddress, timestamp } from './fields'

export const Product = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  /** Dollars, for the documented clients; `priceCents` is the truth. */
  price: z.number(),
  priceCents: z.int(),
  imageUrl: href,
  images: z.array(z.object({ url: href, alt: z.string() })),
  /** What can be ordered now: reserved ones are not in it. */
  stock: z.int(),
  /** An external card-payment page; empty when the product is sold by /checkout. */
  checkoutUrl: z.string(),
  /** The one shown in the store section; the other products are linked beneath it. */
  isFeatured: z.boolean(),
  /** Needs a shipping address at the checkout. */
  ships: z.boolean(),
})
export type Product = z.infer<typeof Product>

/**
 * What is to be paid for, first asked and then changed by the same call (ruling 23).
 *
 * The first call makes an order, takes its stock for 15 minutes and answers with the client secret. Later calls bring
 * `orderId` and `clientSecret` beside the rest and change that order: what is left out stays as it is, but `amount` and
 * `productId` are always there. Whoever brings the same `checkoutKey` (or the cookie that the first answer set) gets
 * the same order while it is open: a double click, a second tab, and a retry after a lost answer are one order.
 */
export const PaymentRequest = z.strictObject({
  /**
   * Dollars as the client computed them: the product's price times the quantity, before any promotion code. Compared
   * with the server's price, never trusted.
   */
  amount: z.number().check(z.nonnegative(), z.maximum(1_000_000)),
  productId: line(64, 'The product'),
  /** 1 where a first call leaves it out. */
  quantity: z.optional(
    z
      .int('The quantity must be a whole number.')
      .check(z.minimum(1, 'The quantity must be at least 1.'), z.maximum(99, 'The quantity must be at most 99.')),
  ),
  orderId: z.optional(line(64, 'The order')),
  clientSecret: z.optional(line(300, 'The client secret')),
  /** 22 to 64 random characters A-Z a-z 0-9 _ - that the browser drew and keeps for this product. */
  checkoutKey: z.optional(z.string().check(z.regex(/^[\w-]{22,64}$/, 'That checkout key is not of the right kind.'))),
  /** Upper and lower case are the same. Empty takes a code off again. */
  promotionCode: z.optional(optionalLine(40, 'The code')),
  /** Where the receipt goes. */
  email: z.optional(emailAddress),
  shippingAddress: z.optional(ShippingAddress),
})
export type PaymentRequest = z.infer<typeof PaymentRequest>

/** The order as it stands after the call. Take every value: a call about an order that is over answers with a new one. */
export const PaymentIntent = z.object({
  clientSecret: z.string(),
  orderId: z.string(),
  /** What will be charged. */
  amountCents: z.int(),
  quantity: z.int(),
  /** How many this order can be changed to have now: what is left, and what it keeps itself. */
  available: z.int(),
  unitPriceCents: z.int(),
  /** Taken off by the promotion code, once an order. */
  discountCents: z.int(),
  promotionCode: z.nullable(z.string()),
  /** Until when the stock is kept for this buyer. */
  reservedUntil: timestamp,
})
export type PaymentIntent = z.infer<typeof PaymentIntent>

/**
 * The demo's test cards, by what becomes of a payment with them. Names, never numbers: card data does not reach us.
 * `second_step` is first answered with `needs_second_step`, and sent again with what the buyer chose.
 */
export const TEST_CARDS = ['succeeds', 'declined', 'second_step'] as const
export type TestCard = (typeof TEST_CARDS)[number]

export const TestPayment = z.strictObject({
  clientSecret: line(300, 'The client secret'),
  card: z.enum(TEST_CARDS),
  secondStep: z.optional(z.enum(['approve', 'refuse'])),
})

export const TestPaymentOutcome = z.object({
  outcome: z.enum(['succeeded', 'declined', 'needs_second_step']),
  /** What the provider says, for 'Payment Failed'; null unless declined. */
  message: z.nullable(z.string()),
})
export type TestPaymentOutcome = z.infer<typeof TestPaymentOutcome>

/**
 * So long, in milliseconds, the worker waits for one answer of the provider's: three tries of five seconds and the pauses
 * between them. After that it says that the provider did not answer.
 */
export const PROVIDER_TIMEOUT_MS = 17_000

/** So long a browser waits for a payment to be prepared: two such answers, the second of a change, and the way. */
export const PREPARE_TIMEOUT_MS = 2 * PROVIDER_TIMEOUT_MS + 6_000

export const productsApi = {
  products: get('/api/products', z.array(Product)),
  /**
   * 404 `not_found` for an unknown product, or an order that is not there or not of this client secret; 409
   * `price_changed`, `sold_out` with how many are left in `X-Stock-Left`, `too_many_reserved` where one visitor would keep too much from the others, `order_paid`
   * and `payment_under_way` for an order whose receipt knows more, `conflict` where another tab changes it; 410 `closed`
   * where its time is over; 400 `bad_input`, or `unknown_code` for a promotion code that is not valid (nothing is changed
   * then); 503 `payments_off` where no payments are set up, `unavailable` where the provider does not answer (nothing was
   * charged; send the same again).
   *
   * A declined card gives the stock back and leaves the order open. Send this call again before the next attempt: it
   * takes the stock again, or says `sold_out` before anybody is charged.
   */
  createPaymentIntent: post('/api/create-payment-intent', PaymentRequest, PaymentIntent),
  /**
   * The demo's provider: `payments` is `test` in the configuration, 404 otherwise. When it answers `succeeded` the
   * signed webhook has been handled: the order says what it is. 400 `bad_input` for what is sent somewhere and has no
   * address or no mailbox yet; 404 as above, 409 `order_paid`,
   * 410 `closed` for one whose time is over.
   */
  confirmTestPayment: post('/api/test-payments/:orderId/confirm', TestPayment, TestPaymentOutcome),
  /** Signed by Stripe, raw. 200 once verified, 400 `bad_input` otherwise. */
  stripeWebhook: post('/api/webhooks/stripe', null, null),
}
