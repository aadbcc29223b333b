import { afterEach, expect, test, vi } from 'vitest'
import { PROVIDER_TIMEOUT_MS } from '../contract/checkout'
import { createStripeBilling } from './billing'
import type { StripeConfig } from './config'
import { ProviderFailed, ProviderRejected, ProviderUnreachable } from './provider'
import { createStripePayments } from './stripe'

const config: StripeConfig = {
  provider: 'stripe',
  secretKey: 'sk_live_x',
  publishableKey: 'pk_live_x',
  webhookSecret: 'whsec_x',
  apiBase: null,
  isLive: true,
}
const payments = createStripePayments(config)
const createIntent = () =>
  payments
    .createIntent({ orderId: 'ord_1', amountCents: 2000, currency: 'USD', taxCalculationId: null, attempt: 1 })
    .catch((error: Error) => error)
const mockStripe = (status: number, error: object, headers?: Record<string, string>) =>
  vi.spyOn(globalThis, 'fetch').mockImplementation(async () => Response.json({ error }, { status, headers }))

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

test.each([
  ['an order’s payment', createIntent],
  [
    'a subscription',
    () =>
      createStripeBilling(config, { silver: 's', gold: 'g' })
        .readSubscription('sub_1')
        .catch((error: Error) => error),
  ],
])('times out when the response to %s never ends', async (_, call) => {
  vi.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response(new ReadableStream()))
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const pending = call()
  await vi.advanceTimersByTimeAsync(PROVIDER_TIMEOUT_MS)
  expect(await pending).toEqual(new ProviderUnreachable('timeout'))
})

// idempotency_error is permanent: a retry with the same key gets the same error.
test.each([
  [400, { type: 'idempotency_error' }, ProviderRejected],
  [400, { type: 'invalid_request_error', code: 'charge_already_refunded' }, ProviderRejected],
  [401, { type: 'invalid_request_error' }, ProviderUnreachable],
  [500, { type: 'api_error' }, ProviderFailed],
])('maps a response of %i %o to a provider error', async (status, error, kind) => {
  mockStripe(status, error, { 'stripe-should-retry': 'false' })
  expect((await createIntent())?.constructor).toBe(kind)
})
