import type Stripe from 'stripe'
import * as z from 'zod/mini'
import { $ZodError } from 'zod/v4/core'
import { PROVIDER_TIMEOUT_MS } from '../contract/checkout'
import { AppError } from '../lib/app-error'
import { MINUTE_MS, type Millis, SECOND_MS } from '../lib/clock'
import { sha256 } from '../lib/crypto'
import { withTimeout } from '../lib/timeout'
import type { StripeConfig } from './config'
import {
  type PaymentEvent,
  type PaymentProvider,
  type ProviderEvent,
  ProviderFailed,
  ProviderRejected,
  ProviderUnreachable,
  type WebhookDelivery,
} from './provider'

/** `timeout` is in milliseconds per request. Retries use the same idempotency key. */
const REQUEST_OPTIONS = { timeout: 5_000, maxNetworkRetries: 2 }

/** Loads the SDK on first use: at the start it would add 8.5 ms to each start of the worker. */
async function createStripeClient({ secretKey, apiBase }: StripeConfig): Promise<Stripe> {
  const { default: Stripe } = await import('stripe')
  return new Stripe(secretKey, {
    ...REQUEST_OPTIONS,
    httpClient: Stripe.createFetchHttpClient(),
    telemetry: false,
    ...(apiBase && {
      host: apiBase.hostname,
      port: apiBase.port || (apiBase.protocol === 'https:' ? 443 : 80),
      protocol: apiBase.protocol === 'https:' ? ('https' as const) : ('http' as const),
    }),
  })
}

/** Returns a function that calls Stripe, with a total timeout. @throws the provider errors of provider.ts. */
export const createStripeCaller =
  (config: StripeConfig) =>
  async <T>(work: (stripe: Stripe) => Promise<T>): Promise<T> => {
    const response = createStripeClient(config)
      .then(work)
      .then((value) => ({ value }), throwProviderError)
    // The SDK's timeout ends with the first byte; this one also covers a body that never ends.
    const result = await withTimeout(PROVIDER_TIMEOUT_MS, response)
    if (result === null) throw new ProviderUnreachable('timeout')
    return result.value
  }

/** Payments through Stripe: PaymentIntents confirmed in the browser with Stripe's form, and signed webhooks. */
export function createStripePayments(config: StripeConfig): PaymentProvider {
  const call = createStripeCaller(config)
  return {
    provider: 'stripe',
    isLive: config.isLive,
    createIntent: ({ orderId, amountCents, currency, taxCalculationId, attempt }) =>
      call(async (stripe) => {
        const params: Stripe.PaymentIntentCreateParams = {
          amount: amountCents,
          currency: currency.toLowerCase(),
          // Cards and card wallets only: redirect methods can finish after the reservation has expired.
          allowed_payment_method_types: ['card'],
          metadata: { order_id: orderId },
          ...taxHook(taxCalculationId),
        }
        const idempotencyKey = await keyWithParams(`order:${orderId}:v1${retrySuffix(attempt)}`, params)
        return stripe.paymentIntents.create(params, { idempotencyKey })
      }).then(toIntent),
    changeIntent: ({ intentId, orderId, amountCents, taxCalculationId, revision, attempt }) =>
      call(async (stripe) => {
        const params = { amount: amountCents, ...taxHook(taxCalculationId) }
        const idempotencyKey = await keyWithParams(`order:${orderId}:v${revision}${retrySuffix(attempt)}`, params)
        return stripe.paymentIntents.update(intentId, params, { idempotencyKey })
      }).then(toIntent),
    readIntent: (intentId) => call((stripe) => stripe.paymentIntents.retrieve(intentId)).then(toIntent),
    closeIntent: ({ intentId }) =>
      call(async (stripe) => {
        const intent = await stripe.paymentIntents.retrieve(intentId, { expand: ['latest_charge'] })
        if (intent.status === 'succeeded') {
          const { amount_received: amountCents, currency, created, latest_charge: charge } = intent
          const at = (typeof charge === 'object' && charge ? charge.created : created) * SECOND_MS
          return { amountCents, currency, at }
        }
        if (intent.status !== 'canceled') await stripe.paymentIntents.cancel(intentId)
        return null
      }),
    refund: ({ intentId, orderId, attempt, part }) =>
      call(async (stripe) => {
        // A failed call may have refunded the part. As a retry has a new idempotency key, Stripe would refund again.
        if (part && attempt > 1) {
          const { data } = await stripe.refunds.list({ payment_intent: intentId, limit: 100 })
          if (data.some(({ metadata }) => metadata?.refund_id === part.refundId)) return
        }
        await stripe.refunds.create(
          {
            payment_intent: intentId,
            ...(part && { amount: part.amountCents, metadata: { refund_id: part.refundId } }),
          },
          // Not `retrySuffix`: a refund that a deployment interrupts must keep its key.
          {
            idempotencyKey: `order:${orderId}:${part ? part.refundId : 'refund'}${attempt > 1 ? `:v${attempt}` : ''}`,
          },
        )
      }).then(
        () => undefined,
        (error) => {
          if (part || !(error instanceof ProviderRejected && error.message === 'charge_already_refunded')) throw error
        },
      ),
    readEvent: (delivery) => readSignedEvent(delivery, config.webhookSecret),
  }
}

const retrySuffix = (attempt: number) => (attempt > 1 ? `:try${attempt}` : '')

/** Parameter by which Stripe records the tax calculation with the payment. */
const taxHook = (calculation: string | null) => calculation !== null && { hooks: { inputs: { tax: { calculation } } } }

/** An idempotency key with a hash of the parameters: Stripe rejects a key that is reused with other parameters. */
export const keyWithParams = async (key: string, params: object): Promise<string> =>
  `${key}:${await sha256(JSON.stringify(params))}`

function toIntent({ id, client_secret }: Stripe.PaymentIntent) {
  if (client_secret === null) throw new ProviderUnreachable('an intent without its client secret')
  return { id, clientSecret: client_secret }
}

/** Maps Stripe's errors to provider errors. The message is Stripe's code: other fields may hold personal data. */
export async function throwProviderError(error: unknown): Promise<never> {
  const { default: Stripe } = await import('stripe')
  const { StripeError, StripeInvalidRequestError, StripeIdempotencyError } = Stripe.errors
  if (!(error instanceof StripeError)) throw error
  const code = error.code ?? error.type
  const isRejected = error instanceof StripeInvalidRequestError || error instanceof StripeIdempotencyError
  // 409: another call with the same key is still running.
  const isTransient = error.statusCode === 409 || error.statusCode === 429
  if ((error.statusCode ?? 0) >= 500) throw new ProviderFailed(code)
  throw isRejected && !isTransient ? new ProviderRejected(code) : new ProviderUnreachable(code)
}

/** Maximum age of a webhook signature; limits replays. */
const SIGNATURE_TOLERANCE_MS: Millis = 5 * MINUTE_MS

/**
 * Verifies and parses a webhook signed by Stripe (`Stripe-Signature: t=...,v1=...`).
 * @throws AppError `bad_input`.
 */
export async function readSignedEvent(
  { payload, signature, at }: WebhookDelivery,
  secret: string,
): Promise<ProviderEvent> {
  const { default: Stripe } = await import('stripe')
  const toleranceSeconds = SIGNATURE_TOLERANCE_MS / SECOND_MS
  const isSigned = await Stripe.webhooks
    .constructEventAsync(payload, signature, secret, toleranceSeconds, Stripe.createSubtleCryptoProvider(), at)
    .then(
      () => true,
      () => false,
    )
  // The SDK accepts any timestamp in the future.
  const signedAt = Number(/(?:^|,)t=(\d{1,12})(?:,|$)/.exec(signature)?.[1]) * SECOND_MS
  if (!isSigned || !(signedAt <= at + SIGNATURE_TOLERANCE_MS))
    throw new AppError('bad_input', 'That is not signed by the payment provider.')
  return parseEvent(JSON.parse(payload))
}

const Id = z.string().check(z.minLength(1))
const Cents = z.int().check(z.nonnegative())
const Reference = z.nullish(z.union([Id, z.object({ id: Id })]))
const Metadata = z.object({ order_id: z.optional(z.string()) })
const Intent = z.object({ id: Id, metadata: Metadata })
const Dispute = z.object({
  payment_intent: Reference,
  amount: Cents,
  status: z.string(),
  evidence_details: z.nullish(z.object({ due_by: z.nullish(z.int()) })),
})
const IntentReference = z.object({ payment_intent: Reference })
const Subscription = z.object({ id: Id })
const Invoice = z.object({
  parent: z.nullish(z.object({ subscription_details: z.nullish(z.object({ subscription: Reference })) })),
})

type EventDetails = PaymentEvent | { kind: 'subscription'; subscriptionId: string } | { kind: 'other' }

const idOf = (reference: z.infer<typeof Reference>): string | null =>
  typeof reference === 'string' ? reference : (reference?.id ?? null)
const intentAndOrder = ({ id, metadata }: z.infer<typeof Intent>) => ({
  intentId: id,
  orderId: metadata.order_id ?? null,
})

/** Returns a reader that parses an event's object with `schema`. */
const objectReader =
  <T>(schema: z.ZodMiniType<T>, read: (object: T) => EventDetails) =>
  (object: unknown) =>
    read(schema.parse(object))

const readSubscription = objectReader(Subscription, ({ id }) => ({ kind: 'subscription', subscriptionId: id }))
const readInvoice = objectReader(Invoice, ({ parent }) => {
  const subscriptionId = idOf(parent?.subscription_details?.subscription)
  return subscriptionId === null ? { kind: 'other' } : { kind: 'subscription', subscriptionId }
})

/** The events we use. A subscription's state is read from Stripe, not from the event. */
const EVENT_READERS: Partial<Record<string, (object: unknown) => EventDetails>> = {
  'payment_intent.succeeded': objectReader(
    z.extend(Intent, { amount_received: Cents, currency: z.string() }),
    ({ amount_received: amountCents, currency, ...intent }) => ({
      ...intentAndOrder(intent),
      kind: 'succeeded',
      amountCents,
      currency,
    }),
  ),
  'payment_intent.payment_failed': objectReader(Intent, (intent) => ({ ...intentAndOrder(intent), kind: 'declined' })),
  'payment_intent.canceled': objectReader(Intent, (intent) => ({ ...intentAndOrder(intent), kind: 'canceled' })),
  'charge.refunded': objectReader(
    z.object({ payment_intent: Reference, metadata: Metadata, amount_refunded: Cents }),
    ({ payment_intent, metadata, amount_refunded: refundedCents }) => ({
      intentId: idOf(payment_intent),
      orderId: metadata.order_id ?? null,
      kind: 'refunded',
      refundedCents,
    }),
  ),
  'refund.failed': objectReader(
    z.extend(IntentReference, {
      amount: Cents,
      metadata: z.nullish(z.object({ refund_id: z.optional(z.string()) })),
    }),
    ({ payment_intent, amount: amountCents, metadata }) => ({
      intentId: idOf(payment_intent),
      orderId: null,
      kind: 'refund_failed',
      refundId: metadata?.refund_id ?? null,
      amountCents,
    }),
  ),
  'charge.dispute.created': objectReader(
    Dispute,
    ({ payment_intent, amount: amountCents, status, evidence_details }) => {
      const dueBy = evidence_details?.due_by ?? null
      return {
        intentId: idOf(payment_intent),
        orderId: null,
        kind: 'dispute_opened',
        amountCents,
        // The statuses `warning_...` take no money.
        fundsWithdrawn: !status.startsWith('warning'),
        respondBy: dueBy === null ? null : dueBy * SECOND_MS,
      }
    },
  ),
  'charge.dispute.closed': objectReader(IntentReference, ({ payment_intent }) => ({
    intentId: idOf(payment_intent),
    orderId: null,
    kind: 'dispute_closed',
  })),
  'charge.dispute.funds_withdrawn': objectReader(Dispute, ({ payment_intent, amount: amountCents }) => ({
    intentId: idOf(payment_intent),
    orderId: null,
    kind: 'withdrawn',
    amountCents,
  })),
  'charge.dispute.funds_reinstated': objectReader(IntentReference, ({ payment_intent }) => ({
    intentId: idOf(payment_intent),
    orderId: null,
    kind: 'reinstated',
  })),
  'customer.subscription.created': readSubscription,
  'customer.subscription.updated': readSubscription,
  'customer.subscription.deleted': readSubscription,
  'customer.subscription.paused': readSubscription,
  'customer.subscription.resumed': readSubscription,
  'customer.subscription.trial_will_end': readSubscription,
  'invoice.paid': readInvoice,
  'invoice.payment_failed': readInvoice,
}

const StripeEvent = z.object({
  id: Id,
  type: Id,
  created: z.int(),
  livemode: z.boolean(),
  data: z.object({ object: z.unknown() }),
})

/** @throws AppError `bad_input` for an event that is signed but malformed. */
function parseEvent(payload: unknown): ProviderEvent {
  try {
    const { id, type, created, livemode: isLive, data } = StripeEvent.parse(payload)
    const details: EventDetails = EVENT_READERS[type]?.(data.object) ?? { kind: 'other' }
    return { id, type, at: created * SECOND_MS, isLive, ...details }
  } catch (cause) {
    if (!(cause instanceof $ZodError)) throw cause
    throw new AppError('bad_input', 'That event from the payment provider is malformed.', { cause })
  }
}
