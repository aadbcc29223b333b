import type { Db } from '../db/client'
import type { Config } from '../env'
import type { Millis } from '../lib/clock'
import { newId } from '../lib/crypto'
import { logEvent } from '../lib/log'
import { type Billing, createStripeBilling } from './billing'
import { paymentEvents } from './payments.table'
import type {
  PaymentEvent,
  PaymentProvider,
  ProviderEvent,
  ProviderPaymentEvent,
  TaxCalculator,
  WebhookDelivery,
} from './provider'
import { createStripePayments } from './stripe'
import { createStripeTaxCalculator } from './stripe-tax'
import { createTestPayments, type TestPaymentProvider } from './test-provider'

export type PaymentServices = {
  payments: PaymentProvider
  /** Null unless Stripe Tax is switched on. */
  calculateTax: TaxCalculator | null
  /** Null unless the demo's test provider is in use. */
  testProvider: TestPaymentProvider | null
  /** Subscriptions to tiers; null unless Stripe and the tiers' prices are configured. */
  billing: Billing | null
  /** Verifies and applies a webhook. After any error the provider sends it again. @throws AppError `bad_input`. */
  handleWebhook: (delivery: WebhookDelivery) => Promise<void>
  /** Applies a payment event that was read from the provider instead of received. */
  onPaymentEvent: (event: ProviderPaymentEvent, at: Millis) => Promise<void>
}

export type EventDeps = {
  db: Db
  payments: PaymentProvider
  secret: string
  /** Base URL of links in emails. */
  origin: string
}

/** `not_ours`: none of our users has the subscription. `unknown_price`: its price belongs to none of our tiers. */
export type SubscriptionResult = 'saved' | 'not_ours' | 'unknown_price'

/** Why a subscription event is parked, shown to administrators. */
const PARKED_REASONS: Record<Exclude<SubscriptionResult, 'saved'> | 'off', string> = {
  not_ours: 'No supporter of ours has this subscription.',
  unknown_price: 'The price of this subscription belongs to no tier.',
  off: 'This site sells no memberships.',
}

/** Handlers of orders and subscriptions. Every event may arrive repeatedly and in any order. */
type PaymentEventHandlers = {
  payment: (deps: EventDeps, event: ProviderPaymentEvent, at: Millis) => Promise<void>
  subscription: (
    deps: EventDeps & { billing: Billing },
    event: { subscriptionId: string; type: string },
    at: Millis,
  ) => Promise<SubscriptionResult>
}

let handlers: PaymentEventHandlers | null = null

/** Called once by app.ts, so that payments imports neither orders nor subscriptions. */
export function registerPaymentEventHandlers(registered: PaymentEventHandlers): void {
  handlers = registered
}

function registeredHandlers(): PaymentEventHandlers {
  if (!handlers) throw new Error('No payment event handlers are registered.')
  return handlers
}

type PaymentsOptions = {
  config: Pick<Config, 'payments' | 'signingSecret' | 'subscriptions' | 'stripeTax'>
  db: Db
  now: () => Millis
  origin: string
}

/** Creates the payment services of the configured provider; null if this deployment takes no payments. */
export function createPayments({ config, db, now, origin }: PaymentsOptions): PaymentServices | null {
  const { signingSecret: secret, subscriptions, stripeTax } = config
  if (config.payments.provider === 'off') return null
  const billing =
    config.payments.provider === 'stripe' && subscriptions
      ? createStripeBilling(config.payments, subscriptions.prices)
      : null
  const createServices = (payments: PaymentProvider, testProvider: TestPaymentProvider | null): PaymentServices => {
    const calculateTax =
      config.payments.provider === 'stripe' && stripeTax ? createStripeTaxCalculator(config.payments) : null
    const deps = { db, payments, secret, origin }
    return {
      payments,
      calculateTax,
      testProvider,
      billing,
      onPaymentEvent: (event, at) => registeredHandlers().payment(deps, event, at),
      handleWebhook: (delivery) => handleWebhook(deps, billing, delivery),
    }
  }
  if (config.payments.provider === 'stripe') return createServices(createStripePayments(config.payments), null)
  const testProvider: TestPaymentProvider = createTestPayments({
    db,
    secret,
    now,
    deliver: (delivery) => createServices(testProvider, testProvider).handleWebhook(delivery),
  })
  return createServices(testProvider, testProvider)
}

async function handleWebhook(deps: EventDeps, billing: Billing | null, delivery: WebhookDelivery): Promise<void> {
  const { db, payments } = deps
  const { at } = delivery
  const event = await payments.readEvent(delivery)
  if (event.kind === 'other') return recordEvent(db, event, { state: 'ignored', at })
  if (event.kind !== 'subscription') return registeredHandlers().payment(deps, event, at)
  if (event.isLive !== payments.isLive)
    return recordEvent(db, event, { state: 'parked', reason: 'Test-mode event in live mode, or the reverse.', at })
  const result = billing ? await registeredHandlers().subscription({ ...deps, billing }, event, at) : 'off'
  if (result === 'saved') return recordEvent(db, event, { state: 'applied', at })
  await recordEvent(db, event, { state: 'parked', reason: PARKED_REASONS[result], at })
}

type EventRecord = { state: 'applied' | 'parked' | 'ignored'; reason?: string | null; at: Millis }

/** Saves an event that changes no order; a repeated event changes nothing. A parked one waits for an administrator. */
export async function recordEvent(
  db: Db,
  event: Pick<ProviderEvent, 'id' | 'type'> & Partial<Pick<PaymentEvent, 'intentId' | 'orderId'>>,
  { state, reason = null, at }: EventRecord,
): Promise<void> {
  if (state === 'parked') logEvent('payment-event', { type: event.type, reason })
  await db
    .insert(paymentEvents)
    .values({
      id: event.id,
      type: event.type,
      state,
      reason,
      orderId: event.orderId ?? null,
      paymentIntentId: event.intentId ?? null,
      delivery: newId('dlv'),
      receivedAt: at,
    })
    .onConflictDoNothing()
}
