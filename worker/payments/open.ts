import type { Config } from '../config'
import type { Db } from '../db/client'
import type { Millis } from '../lib/clock'
import { type Billing, stripeBilling } from '../subscriptions/billing'
import { takeInSubscription } from '../subscriptions/receive'
import type { Payments } from './provider'
import { hearOfPayment, receive } from './receive'
import { stripePayments } from './stripe'
import { type Delivery, type TestPayments, testPayments } from './test-provider'

type Needs = {
  config: Pick<Config, 'payments' | 'signingSecret' | 'subscriptions'>
  db: Db
  now: () => Millis
  origin: string | null
}

export type Opened = {
  payments: Payments
  /** The demo's provider, where that is who takes the money. */
  test: TestPayments | null
  /** Who sells tiers; null without prices. */
  billing: Billing | null
  /** The one way in for what the provider tells us. */
  receive: (delivery: Delivery) => Promise<void>
  /** The same for what we have asked the provider ourselves. */
  hear: (event: Parameters<typeof hearOfPayment>[1], at: Millis) => Promise<void>
}

/** The payments that this deployment is set up for; null where it has none. */
export function openPayments({ config, db, now, origin }: Needs): Opened | null {
  const { signingSecret, subscriptions } = config
  if (config.payments.provider === 'off') return null
  const billing =
    config.payments.provider === 'stripe' && subscriptions ? stripeBilling(config.payments, subscriptions.prices) : null
  const follow: Parameters<typeof receive>[0]['takeInSubscription'] = (event, now) =>
    billing ? takeInSubscription({ db, billing, origin }, event, now) : Promise.resolve(false)
  const opened = (payments: Payments, test: TestPayments | null): Opened => ({
    payments,
    test,
    billing,
    hear: (event, at) => hearOfPayment({ db, payments, signingSecret, origin }, event, at),
    receive: (delivery) => receive({ db, payments, signingSecret, origin, takeInSubscription: follow }, delivery),
  })
  if (config.payments.provider === 'stripe') return opened(stripePayments(config.payments), null)
  const test: TestPayments = testPayments({
    d1: db.$client,
    secret: signingSecret,
    now,
    deliver: (delivery) => opened(test, test).receive(delivery),
  })
  return opened(test, test)
}
