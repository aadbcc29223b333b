import type Stripe from 'stripe'
import { PROVIDER_ANSWERS_MS } from '../contract/shop'
import { SECOND } from '../lib/clock'
import type { StripeConfig } from './config'
import { type Payments, ProviderFailed, ProviderRefused, ProviderUnreachable } from './provider'
import { readSigned } from './signed-events'

/** How long Stripe may take, and how often a call is made again by itself, under the same idempotency key. */
const PATIENCE = { timeout: 5_000, maxNetworkRetries: 2 }

/**
 * The SDK, loaded when a payment is first made: it would add 8.5 ms to every start of the worker, most of which sell
 * nothing.
 */
async function stripeClient({ secretKey, apiBase }: StripeConfig): Promise<Stripe> {
  const { default: Stripe } = await import('stripe')
  return new Stripe(secretKey, {
    ...PATIENCE,
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
export const askStripe =
  (config: StripeConfig) =>
  <T>(work: (stripe: Stripe) => Promise<T>): Promise<T> =>
    inTime(stripeClient(config).then(work)).catch(said)

/** Payments through Stripe: PaymentIntents that the browser confirms with Stripe's own form, and signed webhooks. */
export function stripePayments(config: StripeConfig): Payments {
  const ask = askStripe(config)
  return {
    provider: 'stripe',
    live: config.live,
    createIntent: ({ orderId, amountCents, attempt }) =>
      ask((stripe) =>
        stripe.paymentIntents.create(
          {
            amount: amountCents,
            currency: 'usd',
            // Cards (and wallets that hold one) alone: what leads away from the page comes back when the order's time
            // may be over, and is told of days later.
            allowed_payment_method_types: ['card'],
            metadata: { order_id: orderId },
          },
          { idempotencyKey: `order:${orderId}:v1${again(attempt)}` },
        ),
      ).then(intentOf),
    changeIntent: ({ intentId, orderId, amountCents, revision, attempt }) =>
      ask((stripe) =>
        stripe.paymentIntents.update(
          intentId,
          { amount: amountCents },
          { idempotencyKey: `order:${orderId}:v${revision}${again(attempt)}` },
        ),
      ).then(intentOf),
    readIntent: (intentId) => ask((stripe) => stripe.paymentIntents.retrieve(intentId)).then(intentOf),
    closeIntent: ({ intentId }) =>
      ask(async (stripe) => {
        const intent = await stripe.paymentIntents.retrieve(intentId, { expand: ['latest_charge'] })
        if (intent.status === 'succeeded') {
          const { amount_received: amountCents, currency, created, latest_charge: charge } = intent
          const at = (typeof charge === 'object' && charge ? charge.created : created) * SECOND
          return { amountCents, currency, at }
        }
        if (intent.status !== 'canceled') await stripe.paymentIntents.cancel(intentId)
        return null
      }),
    refund: ({ intentId, orderId, attempt }) =>
      ask((stripe) =>
        stripe.refunds.create(
          { payment_intent: intentId },
          { idempotencyKey: `order:${orderId}:refund${attempt > 1 ? `:v${attempt}` : ''}` },
        ),
      ).then(
        () => undefined,
        (error) => {
          if (!(error instanceof ProviderRefused && error.message === 'charge_already_refunded')) throw error
        },
      ),
    readEvent: (delivery) => readSigned(delivery, config.webhookSecret),
  }
}

/** The tries end by themselves, but an answer that has begun and never ends does not. */
async function inTime<T>(answer: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ProviderUnreachable('too slow')), PROVIDER_ANSWERS_MS)
  })
  return Promise.race([answer, late]).finally(() => clearTimeout(timer))
}

const again = (attempt: number) => (attempt > 1 ? `:try${attempt}` : '')

function intentOf({ id, client_secret }: Stripe.PaymentIntent) {
  if (client_secret === null) throw new ProviderUnreachable('an intent without its client secret')
  return { id, clientSecret: client_secret }
}

/** Stripe's errors in our words; the message is Stripe's code and nothing else, because the rest may name people. */
export async function said(error: unknown): Promise<never> {
  const { default: Stripe } = await import('stripe')
  const { StripeError, StripeInvalidRequestError, StripeIdempotencyError } = Stripe.errors
  if (!(error instanceof StripeError)) throw error
  const code = error.code ?? error.type
  const no = error instanceof StripeInvalidRequestError || error instanceof StripeIdempotencyError
  // 409 is another call under the same key that is still running; 429 passes.
  const passes = error.statusCode === 409 || error.statusCode === 429
  if ((error.statusCode ?? 0) >= 500) throw new ProviderFailed(code)
  throw no && !passes ? new ProviderRefused(code) : new ProviderUnreachable(code)
}
