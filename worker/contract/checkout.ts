import * as z from 'zod/mini'
import { post, visitor } from './endpoint'
import { emailAddress, line, optionalLine, timestamp } from './fields'

// Separate from products.ts to stay out of the initial bundle.

export const ShippingAddress = z.strictObject({
  name: line(100, 'The name'),
  line1: line(120, 'The street address'),
  line2: z.optional(optionalLine(120, 'The second address line')),
  city: line(80, 'The city'),
  /** State, province or region; may be empty outside the United States. */
  state: optionalLine(60, 'The state'),
  /** May be empty. */
  postalCode: optionalLine(16, 'The ZIP code'),
  /** ISO 3166-1: `US`. */
  country: z.string().check(z.regex(/^[A-Z]{2}$/, 'The country must be two capital letters, such as US.')),
})
export type ShippingAddress = z.infer<typeof ShippingAddress>

/**
 * The first call reserves stock for 15 minutes. Later calls name the order by `orderId` and `clientSecret`, or by the
 * same `checkoutKey` or cookie, and leave omitted fields unchanged.
 */
export const IntentRequest = z.strictObject({
  /** Dollars as computed by the client before discounts: compared with the server's price, never trusted. */
  amount: z.number().check(z.nonnegative(), z.maximum(1_000_000)),
  productId: line(64, 'The product'),
  /** Default 1. */
  quantity: z.optional(
    z
      .int('The quantity must be a whole number.')
      .check(z.minimum(1, 'The quantity must be at least 1.'), z.maximum(99, 'The quantity must be at most 99.')),
  ),
  orderId: z.optional(line(64, 'The order')),
  clientSecret: z.optional(line(300, 'The client secret')),
  /** 22 to 64 random characters A-Z a-z 0-9 _ -, stored by the browser for this product. */
  checkoutKey: z.optional(z.string().check(z.regex(/^[\w-]{22,64}$/, 'That checkout key is not valid.'))),
  /** Case-insensitive. Empty removes the code. */
  promotionCode: z.optional(optionalLine(40, 'The code')),
  email: z.optional(emailAddress),
  shippingAddress: z.optional(ShippingAddress),
})
export type IntentRequest = z.infer<typeof IntentRequest>

/** The order after the call; its id changes if the previous order was finished. */
export const PaymentIntent = z.object({
  clientSecret: z.string(),
  orderId: z.string(),
  amountCents: z.int(),
  quantity: z.int(),
  /** Available units including those this order reserves. */
  available: z.int(),
  unitPriceCents: z.int(),
  /** Discount of the promotion code, once per order. */
  discountCents: z.int(),
  promotionCode: z.nullable(z.string()),
  reservedUntil: timestamp,
})
export type PaymentIntent = z.infer<typeof PaymentIntent>

/**
 * Test cards of the demo, by outcome; no card numbers. `second_step` is answered with `needs_second_step` first, then
 * repeated with the buyer's choice.
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
  /** The provider's message; null unless declined. */
  message: z.nullable(z.string()),
})
export type TestPaymentOutcome = z.infer<typeof TestPaymentOutcome>

/** The worker's limit for a provider call: three attempts of five seconds with pauses. */
export const PROVIDER_TIMEOUT_MS = 17_000

/** The browser's limit for preparing a payment: two provider calls and the network. */
export const PREPARE_TIMEOUT_MS = 2 * PROVIDER_TIMEOUT_MS + 6_000

export const checkoutApi = {
  /**
   * 400 and 404 change nothing; 409 `sold_out` with the units left in `X-Stock-Left`, `conflict` with another tab; 410
   * once expired; 503 `unavailable`: nothing was charged. A declined card releases the stock: call again before retrying.
   */
  createPaymentIntent: post('/api/create-payment-intent', IntentRequest, PaymentIntent, visitor),
  /**
   * Demo payments; 404 unless `payments` is `test`. On `succeeded` the webhook has been handled. 400 `bad_input`
   * without a required address or email; 404 as above, 409 `order_paid`, 410 `closed`.
   */
  confirmTestPayment: post('/api/test-payments/:orderId/confirm', TestPayment, TestPaymentOutcome, visitor),
  /** Raw body signed by Stripe. 200 once verified, else 400 `bad_input`. */
  stripeWebhook: post('/api/webhooks/stripe', null, null, visitor),
}
