import type Stripe from 'stripe'
import { PROVIDER_TIMEOUT_MS } from '../contract/products'
import { SECOND_MS } from '../lib/clock'
import type { StripeConfig } from './config'
import { type PaymentProvider, ProviderFailed, ProviderRejected, ProviderUnreachable } from './provider'
import { readSignedEvent } from './webhook-signature'

/** How long Stripe may take, and how often a call is made again by itself, under the same idempotency key. */
const REQUEST_OPTIONS = { timeout: 5_000, maxNetworkRetries: 2 }

/**
 * The SDK, loaded when a payment is first made: it would add 8.5 ms to every start of the worker, most of which sell
 * nothing.
 */
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

/** The one way to ask Stripe anything: answered in time, and failing in our words. */
export const stripeCaller =
  (config: StripeConfig) =>
  <T>(work: (stripe: Stripe) => Promise<T>): Promise<T> =>
    withTimeout(stripeClient(config).then(work)).catch(throwProviderError)

/** Payments through Stripe: PaymentIntents that the browser confirms with Stripe's own form, and signed webhooks. */
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
            // Cards (and wallets that hold one) alone: what leads away from the page comes back when the order's time
            // may be over, and is told of days later.
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

/** The tries end by themselves, but an answer that has begun and never ends does not. */
async function withTimeout<T>(response: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ProviderUnreachable('too slow')), PROVIDER_TIMEOUT_MS)
  })
  return Promise.race([response, timeout]).finally(() => clearTimeout(timer))
}

const retrySuffix = (attempt: number) => (attempt > 1 ? `:try${attempt}` : '')

function toIntent({ id, client_secret }: Stripe.PaymentIntent) {
  if (client_secret === null) throw new ProviderUnreachable('an intent without its client secret')
  return { id, clientSecret: client_secret }
}

/** Stripe's errors in our words; the message is Stripe's code and nothing else, because the rest may name people. */
export async function throwProviderError(error: unknown): Promise<never> {
  const { default: Stripe } = await import('stripe')
  const { StripeError, StripeInvalidRequestError, StripeIdempotencyError } = Stripe.errors
  if (!(error instanceof StripeError)) throw error
  const code = error.code ?? error.type
  const isRejected = error instanceof StripeInvalidRequestError || error instanceof StripeIdempotencyError
  // 409 is another call under the same key that is still running; 429 passes.
  const isTransient = error.statusCode === 409 || error.statusCode === 429
  if ((error.statusCode ?? 0) >= 500) throw new ProviderFailed(code)
  throw isRejected && !isTransient ? new ProviderRejected(code) : new ProviderUnreachable(code)
}
