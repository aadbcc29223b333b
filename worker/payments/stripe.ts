import type Stripe from 'stripe'
import { PROVIDER_TIMEOUT_MS } from '../contract/products'
import { AppError } from '../lib/app-error'
import { MINUTE_MS, type Millis, SECOND_MS } from '../lib/clock'
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

/** `timeout` in milliseconds, a call. Retries use the same idempotency key. */
const REQUEST_OPTIONS = { timeout: 5_000, maxNetworkRetries: 2 }

/** The SDK is loaded with the first payment: it would add 8.5 ms to each start of the worker. */
async function stripeClient({ secretKey, apiBase }: StripeConfig): Promise<Stripe> {
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

/** Returns a function that runs calls against Stripe, with a total timeout and provider errors (provider.ts). */
export const stripeCaller =
  (config: StripeConfig) =>
  async <T>(work: (stripe: Stripe) => Promise<T>): Promise<T> => {
    const response = stripeClient(config)
      .then(work)
      .then((value) => ({ value }), throwProviderError)
    // The SDK's timeout ends with the first byte; this one also covers a body that never ends.
    const result = await withTimeout(PROVIDER_TIMEOUT_MS, response)
    if (result === null) throw new ProviderUnreachable('timeout')
    return result.value
  }

/** Payments through Stripe: PaymentIntents confirmed in the browser with Stripe's form, and signed webhooks. */
export function stripePayments(config: StripeConfig): PaymentProvider {
  const call = stripeCaller(config)
  return {
    provider: 'stripe',
    live: config.live,
    createIntent: ({ orderId, amountCents, attempt }) =>
      call((stripe) =>
        stripe.paymentIntents.create(
          {
            amount: amountCents,
            currency: 'usd',
            // Cards and card wallets only: redirect methods can finish after the reservation has expired.
            allowed_payment_method_types: ['card'],
            metadata: { order_id: orderId },
          },
          { idempotencyKey: `order:${orderId}:v1${retrySuffix(attempt)}` },
        ),
      ).then(toIntent),
    changeIntent: ({ intentId, orderId, amountCents, revision, attempt }) =>
      call((stripe) =>
        stripe.paymentIntents.update(
          intentId,
          { amount: amountCents },
          { idempotencyKey: `order:${orderId}:v${revision}${retrySuffix(attempt)}` },
        ),
      ).then(toIntent),
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
    refund: ({ intentId, orderId, attempt }) =>
      call((stripe) =>
        stripe.refunds.create(
          { payment_intent: intentId },
          { idempotencyKey: `order:${orderId}:refund${attempt > 1 ? `:v${attempt}` : ''}` },
        ),
      ).then(
        () => undefined,
        (error) => {
          if (!(error instanceof ProviderRejected && error.message === 'charge_already_refunded')) throw error
        },
      ),
    readEvent: (delivery) => readSignedEvent(delivery, config.webhookSecret),
  }
}

const retrySuffix = (attempt: number) => (attempt > 1 ? `:try${attempt}` : '')

function toIntent({ id, client_secret }: Stripe.PaymentIntent) {
  if (client_secret === null) throw new ProviderUnreachable('an intent without its client secret')
  return { id, clientSecret: client_secret }
}

/** Maps Stripe's errors to provider errors. The message is Stripe's code only: other fields may hold personal data. */
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
  const event = await Stripe.webhooks
    .constructEventAsync(payload, signature, secret, toleranceSeconds, Stripe.createSubtleCryptoProvider(), at)
    .catch(() => null)
  // The SDK accepts any timestamp in the future.
  const signedAt = Number(/(?:^|,)t=(\d{1,12})(?:,|$)/.exec(signature)?.[1]) * SECOND_MS
  if (!event || !(signedAt <= at + SIGNATURE_TOLERANCE_MS))
    throw new AppError('bad_input', 'That is not signed by the payment provider.')
  return parseStripeEvent(event)
}

function parseStripeEvent(event: Stripe.Event): ProviderEvent {
  const head = { id: event.id, type: event.type, at: event.created * SECOND_MS, live: event.livemode }
  const subscriptionId = subscriptionOf(event)
  if (subscriptionId !== null) return { ...head, kind: 'subscription', subscriptionId }
  const payment = paymentOf(event)
  return payment ? { ...head, ...payment } : { ...head, kind: 'other' }
}

function paymentOf(event: Stripe.Event): PaymentEvent | null {
  switch (event.type) {
    case 'payment_intent.succeeded': {
      const { amount_received: amountCents, currency } = event.data.object
      return { ...intentReference(event.data.object), kind: 'succeeded', amountCents, currency }
    }
    case 'payment_intent.payment_failed':
      return { ...intentReference(event.data.object), kind: 'declined' }
    case 'payment_intent.canceled':
      return { ...intentReference(event.data.object), kind: 'canceled' }
    case 'charge.refunded': {
      const { payment_intent, metadata, amount_refunded: refundedCents } = event.data.object
      const orderId = metadata.order_id ?? null
      return { intentId: idOf(payment_intent), orderId, kind: 'refunded', refundedCents }
    }
    case 'refund.failed':
      return { intentId: idOf(event.data.object.payment_intent), orderId: null, kind: 'refund_failed' }
    case 'charge.dispute.created': {
      const { status, payment_intent, amount: amountCents, evidence_details } = event.data.object
      const dueBy = evidence_details?.due_by ?? null
      return {
        intentId: idOf(payment_intent),
        orderId: null,
        kind: 'inquiry',
        amountCents,
        // `warning_...` is an inquiry that takes no money.
        fundsWithdrawn: !status.startsWith('warning'),
        respondBy: dueBy === null ? null : dueBy * SECOND_MS,
      }
    }
    case 'charge.dispute.funds_withdrawn': {
      const { payment_intent, amount: amountCents } = event.data.object
      return { intentId: idOf(payment_intent), orderId: null, kind: 'withdrawn', amountCents }
    }
    case 'charge.dispute.funds_reinstated':
      return { intentId: idOf(event.data.object.payment_intent), orderId: null, kind: 'reinstated' }
    default:
      return null
  }
}

/** The subscription an event is about. Its state is read from Stripe, not from the event. */
function subscriptionOf(event: Stripe.Event): string | null {
  switch (event.type) {
    case 'customer.subscription.created':
    case 'customer.subscription.updated':
    case 'customer.subscription.deleted':
    case 'customer.subscription.paused':
    case 'customer.subscription.resumed':
    case 'customer.subscription.trial_will_end':
      return event.data.object.id
    case 'invoice.paid':
    case 'invoice.payment_failed':
      return idOf(event.data.object.parent?.subscription_details?.subscription ?? null)
    default:
      return null
  }
}

const idOf = (reference: string | { id: string } | null | undefined): string | null =>
  typeof reference === 'string' ? reference : (reference?.id ?? null)

const intentReference = ({ id, metadata }: { id: string; metadata: Record<string, string> }) => ({
  intentId: id,
  orderId: metadata.order_id ?? null,
})
