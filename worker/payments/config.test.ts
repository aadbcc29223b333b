import { env } from 'cloudflare:test'
import { beforeAll, expect, test, vi } from 'vitest'
import { IntentRequest, TestPayment } from '../contract/checkout'
import type { Env } from '../env'
import { getJson, send, statusAndCodeOf } from '../testing/client'
import { addProduct, DEMO_ENV, newBuyer, STRIPE_ENV } from '../testing/payments'
import { seedSite } from '../testing/seed'

beforeAll(() => seedSite(env.DB))

type Site = { payments: string; stripePublishableKey: string | null; subscriptions: boolean }
const readSite = async (vars: Partial<Env>) => {
  const { payments, stripePublishableKey, subscriptions } = await getJson<Site>('/api/config', { env: vars })
  return [payments, stripePublishableKey, subscriptions]
}
const TEST_KEYS = { STRIPE_SECRET_KEY: 'sk_test_x', STRIPE_PUBLISHABLE_KEY: 'pk_test_x' }
const PRICES = { STRIPE_PRICE_SILVER: 'price_1', STRIPE_PRICE_GOLD: 'price_2' }

test('selects provider and subscriptions from the configuration', async () => {
  expect(await readSite({})).toEqual(['off', null, false])
  expect(await readSite(DEMO_ENV)).toEqual(['test', null, false])
  expect(await readSite(STRIPE_ENV)).toEqual(['stripe', 'pk_live_for_the_tests', false])
  expect(await readSite({ ...STRIPE_ENV, ...TEST_KEYS, ...DEMO_ENV })).toEqual(['stripe', 'pk_test_x', false])
  expect(await readSite({ ...STRIPE_ENV, ...PRICES })).toEqual(['stripe', 'pk_live_for_the_tests', false])
  expect(await readSite({ ...STRIPE_ENV, ...PRICES, SUBSCRIPTIONS: 'on' })).toEqual([
    'stripe',
    'pk_live_for_the_tests',
    true,
  ])
})

const INVALID: [string, Partial<Env>, string][] = [
  ['test keys in production', { ...STRIPE_ENV, ...TEST_KEYS }, 'STRIPE_SECRET_KEY'],
  ['another server in production', { ...STRIPE_ENV, STRIPE_API_BASE: 'http://127.0.0.1:1' }, 'STRIPE_API_BASE'],
  ['live keys in the demo', { ...STRIPE_ENV, ...DEMO_ENV }, 'STRIPE_SECRET_KEY'],
  ['a live and a test key', { ...STRIPE_ENV, STRIPE_PUBLISHABLE_KEY: 'pk_test_x' }, 'STRIPE_PUBLISHABLE_KEY'],
  ['no webhook secret', { ...STRIPE_ENV, STRIPE_WEBHOOK_SECRET: '' }, 'STRIPE_WEBHOOK_SECRET'],
  ['tiers without prices', { ...STRIPE_ENV, SUBSCRIPTIONS: 'on' }, 'STRIPE_PRICE_SILVER'],
  ['tiers without keys', { ...PRICES, SUBSCRIPTIONS: 'on' }, 'SUBSCRIPTIONS'],
]
test.each(INVALID)('with %s, rejects all requests and logs the variable’s name', async (_, vars, name) => {
  const error = vi.spyOn(console, 'error').mockReturnValue()
  for (const path of ['/', '/api/config', '/api/products'])
    expect(await statusAndCodeOf(await send('GET', path, undefined, { env: vars }))).toEqual([503, 'unavailable'])
  const logEntry = String(error.mock.calls[0])
  expect(logEntry).toContain(name)
  expect(logEntry).not.toMatch(/_live_for|_test_x|whsec_for/)
})

test('serves test payments in the demo only', async () => {
  const buyer = newBuyer()
  const intent = await buyer.buy(await addProduct(1))
  const { clientSecret, orderId } = intent
  for (const vars of [{}, STRIPE_ENV]) {
    const sent = { clientSecret, card: 'succeeds' }
    const response = await send('POST', `/api/test-payments/${orderId}/confirm`, sent, { env: vars })
    expect(await statusAndCodeOf(response)).toEqual([404, 'not_found'])
  }
  expect((await buyer.order(intent)).status).toBe('pending')
})

test('rejects card numbers and does not log them', async () => {
  const log = vi.spyOn(console, 'log').mockReturnValue()
  const error = vi.spyOn(console, 'error').mockReturnValue()
  const number = '4242424242424242'
  const buyer = newBuyer()
  const product = await addProduct(1)
  const intent = await buyer.buy(product)
  for (const field of ['number', 'cardNumber', 'cvc', 'card_number', 'exp'])
    expect(await statusAndCodeOf(await buyer.requestIntent(product, { [field]: number }))).toEqual([400, 'bad_input'])
  expect((await buyer.confirmCard(intent, number as never)).status).toBe(400)
  const fields = [...Object.keys(IntentRequest.shape), ...Object.keys(TestPayment.shape)]
  expect(fields.filter((name) => /number|cvc|cvv|pan|expiry/i.test(name))).toEqual([])
  expect([...log.mock.calls, ...error.mock.calls].flat().join('\n')).not.toMatch(/\d{13,19}/)
  const stored = await env.DB.prepare(
    "SELECT json_group_array(json_object('a', email, 'b', shipping_address)) AS contacts FROM orders",
  ).first()
  expect(JSON.stringify(stored)).not.toContain(number)
})
