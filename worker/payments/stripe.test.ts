import { afterEach, expect, test, vi } from 'vitest'
import { PROVIDER_ANSWERS_MS } from '../contract/shop'
import { stripeBilling } from '../subscriptions/billing'
import type { StripeConfig } from './config'
import { ProviderFailed, ProviderRefused, ProviderUnreachable } from './provider'
import { stripePayments } from './stripe'

const config: StripeConfig = {
  ...{ provider: 'stripe', secretKey: 'sk_live_x', publishableKey: 'pk_live_x', webhookSecret: 'whsec_x' },
  ...{ apiBase: null, live: true },
}
const payments = stripePayments(config)
const ask = () =>
  payments.createIntent({ orderId: 'ord_1', amountCents: 2000, attempt: 1 }).catch((error: Error) => error)
const answers = (status: number, error: object, headers?: Record<string, string>) =>
  vi.spyOn(globalThis, 'fetch').mockImplementation(async () => Response.json({ error }, { status, headers }))

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

test.each([
  ['an order’s payment', ask],
  [
    'a tier',
    () =>
      stripeBilling(config, { silver: 's', gold: 'g' })
        .read('sub_1')
        .catch((error: Error) => error),
  ],
])('a provider whose answer about %s begins and never ends is given up on in time', async (_, asks) => {
  vi.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response(new ReadableStream()))
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const asked = asks()
  await vi.advanceTimersByTimeAsync(PROVIDER_ANSWERS_MS)
  expect(await asked).toEqual(new ProviderUnreachable('too slow'))
})

// The same key for another amount would come to the same answer for ever: it is a refusal, not a silence.
test.each([
  [400, { type: 'idempotency_error' }, ProviderRefused],
  [400, { type: 'invalid_request_error', code: 'charge_already_refunded' }, ProviderRefused],
  [401, { type: 'invalid_request_error' }, ProviderUnreachable],
  [500, { type: 'api_error' }, ProviderFailed],
])('an answer of %i %o is said in our words', async (status, error, kind) => {
  answers(status, error, { 'stripe-should-retry': 'false' })
  expect((await ask())?.constructor).toBe(kind)
})
