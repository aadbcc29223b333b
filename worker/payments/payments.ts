import type { Db } from '../db/client'
import type { Config } from '../env'
import type { Millis } from '../lib/clock'
import { type Billing, stripeBilling } from '../subscriptions/billing'
import { handleSubscriptionEvent } from '../subscriptions/webhook'
import type { PaymentProvider } from './provider'
import { stripePayments } from './stripe'
import { type TestPaymentProvider, testPayments, type WebhookDelivery } from './test-provider'
import { handleWebhook, onPaymentEvent } from './webhook'

type Deps = {
  config: Pick<Config, 'payments' | 'signingSecret' | 'subscriptions'>
  db: Db
  now: () => Millis
  origin: string | null
}

export type PaymentServices = {
  payments: PaymentProvider
  /** The demo's provider, where that is who takes the money. */
  testProvider: TestPaymentProvider | null
  /** Who sells tiers; null without prices. */
  billing: Billing | null
  /** The one way in for what the provider tells us. */
  handleWebhook: (delivery: WebhookDelivery) => Promise<void>
  /** The same for what we have asked the provider ourselves. */
  onPaymentEvent: (event: Parameters<typeof onPaymentEvent>[1], at: Millis) => Promise<void>
}

/** The payments that this deployment is set up for; null where it has none. */
export function createPayments({ config, db, now, origin }: Deps): PaymentServices | null {
  const { signingSecret, subscriptions } = config
  if (config.payments.provider === 'off') return null
  const billing =
    config.payments.provider === 'stripe' && subscriptions ? stripeBilling(config.payments, subscriptions.prices) : null
  const handleSubscription: Parameters<typeof handleWebhook>[0]['handleSubscriptionEvent'] = (event, now) =>
    billing ? handleSubscriptionEvent({ db, billing, origin }, event, now) : Promise.resolve(false)
  const createServices = (payments: PaymentProvider, testProvider: TestPaymentProvider | null): PaymentServices => ({
    payments,
    testProvider,
    billing,
    onPaymentEvent: (event, at) => onPaymentEvent({ db, payments, signingSecret, origin }, event, at),
    handleWebhook: (delivery) =>
      handleWebhook({ db, payments, signingSecret, origin, handleSubscriptionEvent: handleSubscription }, delivery),
  })
  if (config.payments.provider === 'stripe') return createServices(stripePayments(config.payments), null)
  const testProvider: TestPaymentProvider = testPayments({
    d1: db.$client,
    secret: signingSecret,
    now,
    deliver: (delivery) => createServices(testProvider, testProvider).handleWebhook(delivery),
  })
  return createServices(testProvider, testProvider)
}
