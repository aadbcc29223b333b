import * as z from 'zod/mini'
import { post, visitor } from './endpoint'
import { emailAddress, href, line, optionalLine, timestamp } from './fields'
import { OrderTax, PriceBreakdown } from './pricing'
import { PRODUCT_KINDS } from './products'

// Not in products.ts, which is in the initial bundle.

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

/** Where the buyer of goods without delivery is taxed. */
export const TaxLocation = z.strictObject({
  /** ISO 3166-1: `US`. */
  country: ShippingAddress.shape.country,
  state: ShippingAddress.shape.state,
  postalCode: ShippingAddress.shape.postalCode,
})
export type TaxLocation = z.infer<typeof TaxLocation>

/** Countries whose buyers must also give their state, and those whose buyers must also give their postal code. */
export const TaxLocationFields = z.object({
  stateCountries: z.array(z.string()),
  postalCodeCountries: z.array(z.string()),
})
export type TaxLocationFields = z.infer<typeof TaxLocationFields>

export const MAX_ORDER_LINES = 50
export const MAX_LINE_QUANTITY = 99

export const quantity = z
  .int('The quantity must be a whole number.')
  .check(
    z.minimum(1, 'The quantity must be at least 1.'),
    z.maximum(MAX_LINE_QUANTITY, `The quantity must be at most ${MAX_LINE_QUANTITY}.`),
  )

export const IntentLine = z.strictObject({
  variantId: line(64, 'The variant'),
  quantity,
  /** The buyer's price of a pay-what-you-want variant, at least its minimum. For other variants: the expected price. */
  unitPriceCents: z.nullish(
    z.int('The price must be whole cents.').check(z.nonnegative('The price cannot be negative.'), z.maximum(1_000_000)),
  ),
  /** ISO 4217; rejected if it is not the site's currency. */
  currency: z.optional(z.string()),
})
export type IntentLine = z.infer<typeof IntentLine>

/** Fields of an order that a quote and a payment intent share. */
const OrderFields = z.strictObject({
  /**
   * Sum of the lines before discounts, not in cents (19.99), as the client computed it: only compared with our price.
   */
  amount: z.optional(z.number().check(z.nonnegative(), z.maximum(1_000_000))),
  productId: z.optional(line(64, 'The product')),
  /** Quantity of the single product; default 1. */
  quantity: z.optional(quantity),
  lines: z.optional(
    z
      .array(IntentLine)
      .check(
        z.minLength(1, 'The cart is empty.'),
        z.maxLength(MAX_ORDER_LINES, `An order has at most ${MAX_ORDER_LINES} lines. Please make two orders.`),
      ),
  ),
  /** Case-insensitive. Empty removes the code. `promotionCode` is an alias. */
  discountCode: z.optional(optionalLine(40, 'The code')),
  promotionCode: z.optional(optionalLine(40, 'The code')),
  email: z.optional(emailAddress),
  shippingAddress: z.optional(ShippingAddress),
  /** For orders without shipped goods. */
  taxLocation: z.optional(TaxLocation),
  /** One of the order's `shippingMethods`. */
  shippingMethodId: z.optional(line(64, 'The delivery method')),
  currency: z.optional(z.string()),
})
type OrderFields = z.infer<typeof OrderFields>

const hasOneSource = z.refine<OrderFields>(
  ({ productId, lines }) => (productId === undefined) !== (lines === undefined),
  'Please send either a product or the lines of a cart.',
)
const hasDistinctVariants = z.refine<OrderFields>(
  ({ lines = [] }) => new Set(lines.map(({ variantId }) => variantId)).size === lines.length,
  'Each variant can be in one line only. Please add the quantities.',
)

/** The order of a payment intent, without payment fields. */
export const QuoteRequest = OrderFields.check(hasOneSource, hasDistinctVariants)
export type QuoteRequest = z.infer<typeof QuoteRequest>

/**
 * A single product, or the lines of a cart. The first call reserves the stock of all lines for 15 minutes. Later calls
 * name the order by `orderId` and `clientSecret`, or by the same `checkoutKey` or cookie, and leave omitted fields
 * unchanged; `lines` replaces all lines.
 */
export const IntentRequest = z
  .extend(OrderFields, {
    orderId: z.optional(line(64, 'The order')),
    /** Null for an order that has no payment. */
    clientSecret: z.nullish(line(300, 'The client secret')),
    /** 22 to 64 random characters A-Z a-z 0-9 _ -, stored by the browser for this product or its cart. */
    checkoutKey: z.optional(z.string().check(z.regex(/^[\w-]{22,64}$/, 'That checkout key is not valid.'))),
  })
  .check(
    hasOneSource,
    z.refine(({ productId, amount }) => productId === undefined || amount !== undefined, {
      error: 'The amount is required.',
      path: ['amount'],
    }),
    hasDistinctVariants,
  )
export type IntentRequest = z.infer<typeof IntentRequest>

export const ShippingMethod = z.object({
  id: z.string(),
  name: z.string(),
  priceCents: z.int(),
  /** Whether the goods are picked up at a show, which needs no address. */
  isPickup: z.optional(z.boolean()),
})
export type ShippingMethod = z.infer<typeof ShippingMethod>

/** A line of an order or cart at its current price. */
export const PricedOrderLine = z.object({
  variantId: z.string(),
  productId: z.string(),
  productName: z.string(),
  /** 'M'; empty if the product has one variant. */
  variantName: z.string(),
  imageUrl: href,
  kind: z.enum(PRODUCT_KINDS),
  quantity: z.int(),
  unitPriceCents: z.int(),
  /** Available units including those this order reserves; null if unlimited. */
  available: z.nullable(z.int()),
})
export type PricedOrderLine = z.infer<typeof PricedOrderLine>

/** The order after the call; its id changes if the previous order was finished. */
export const PaymentIntent = z.object({
  /** Null for a total of 0, which needs no payment. */
  clientSecret: z.nullable(z.string()),
  orderId: z.string(),
  /** `paid`: a total of 0, once it has an email, and for shipped goods an address and a method. */
  status: z.enum(['pending', 'paid']),
  /** `breakdown.totalCents`. */
  amountCents: z.int(),
  /** Units of all lines. */
  quantity: z.int(),
  /** Available units of the first line, including those this order reserves; the line's quantity if unlimited. */
  available: z.int(),
  /** Unit price of the first line. */
  unitPriceCents: z.int(),
  /** Discount of the code, once per order. */
  discountCents: z.int(),
  discountCode: z.nullable(z.string()),
  /** The same as `discountCode`. */
  promotionCode: z.nullable(z.string()),
  /** Why the order's previous code does not apply any more; null if it does, or without one. */
  discountNotice: z.nullable(z.string()),
  lines: z.array(PricedOrderLine),
  /** Methods for the address, and pick-ups; only pick-ups before it is known. Empty without shipped goods. */
  shippingMethods: z.array(ShippingMethod),
  shippingMethodId: z.nullable(z.string()),
  breakdown: PriceBreakdown,
  /** Null without tax. */
  tax: z.nullable(OrderTax),
  /** Set if the tax depends on the buyer's location, which must be sent before the payment; null if it does not. */
  taxLocationFields: z.nullable(TaxLocationFields),
  /** URL of the receipt with its secret; null until paid. */
  receiptUrl: z.nullable(href),
  reservedUntil: timestamp,
})
export type PaymentIntent = z.infer<typeof PaymentIntent>

/**
 * Test cards of the demo, by outcome; no card numbers. The first payment with `second_step` has the outcome
 * `needs_second_step`; the client repeats it with the buyer's choice.
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
  createPaymentIntent: post('/api/create-payment-intent', IntentRequest, PaymentIntent, {
    ...visitor,
    description:
      '400 and 404 change nothing: `choose_variant` for a product with several variants, `unserved_country`, and for the code `unknown_code` or `discount_rejected`. 409 `sold_out` names the first such line, with the units left in `X-Stock-Left`; `price_changed`; `conflict` with another tab. 410 once expired; 503 `unavailable`: nothing was charged. A declined card releases the stock: call again before retrying.',
    starts: 'deliver_webhooks',
  }),
  confirmTestPayment: post('/api/test-payments/:orderId/confirm', TestPayment, TestPaymentOutcome, {
    ...visitor,
    description:
      'Demo payments; 404 unless `payments` is `test`. On `succeeded` the webhook has been handled. 409 `address_required` for shipped goods without email, address and method, for others without a tax location; 404 for another order, 409 `order_paid`, 410 `closed`.',
    starts: 'deliver_webhooks',
    demoOnly: true,
  }),
  stripeWebhook: post('/api/webhooks/stripe', null, null, {
    ...visitor,
    description: 'Raw body signed by Stripe. 200 once verified, else 400 `bad_input`.',
    anyOrigin: true,
    starts: 'deliver_webhooks',
  }),
}
