import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CartQuote } from '../../worker/contract/cart'
import type { PaymentIntent } from '../../worker/contract/checkout'
import { type Shop, startTestShop } from './test-shop'

// These tests run the built worker with the real SDK and Stripe Tax switched on, against a fake Stripe server.

let shop: Shop
beforeAll(async () => {
  shop = await startTestShop({ STRIPE_TAX: 'on' })
  // German prices include tax. Stripe computes it at its own 19 %; this row's 16 % is for estimates only.
  await shop.run(
    `INSERT INTO tax_rates (id, name, country, region, rate_per_100k, included) VALUES ('de', 'VAT', 'DE', '', 16000, 1)`,
  )
}, 120_000)
afterAll(() => shop.close())

const ADDRESS = {
  name: 'A Fan',
  line1: '1 Any Street',
  city: 'Any City',
  state: '',
  postalCode: '10115',
  country: 'DE',
}
const calculationCalls = () => shop.stripe.calls.filter(({ path }) => path === '/v1/tax/calculations')

test('charges the tax that Stripe computes for the address', async () => {
  const product = await shop.addProduct(9)
  const german = await shop.buy(product, { quantity: 2, shippingAddress: ADDRESS, email: 'a@mail.example' })
  expect(german.body).toMatchObject({
    amountCents: 4000,
    breakdown: { taxCents: 639, taxIncluded: true },
    tax: { name: 'VAT', ratePer100k: 19_000, isEstimate: false },
  })
  const [intent] = [...shop.stripe.intents.values()].filter(({ metadata }) => metadata.order_id === german.body.orderId)
  const [calculation] = shop.stripe.calculations.keys()
  expect(intent).toMatchObject({ amount: 4000, hooks: { inputs: { tax: { calculation } } } })
  const florida = { ...ADDRESS, state: 'FL', country: 'US', postalCode: '33602' }
  const { body } = await shop.buy(product, { shippingAddress: florida, email: 'b@mail.example' })
  expect(body as unknown as PaymentIntent).toMatchObject({
    amountCents: 2140,
    breakdown: { taxCents: 140, taxIncluded: false },
    tax: { name: 'Sales tax', ratePer100k: 7000 },
  })
})

test('calculates tax once for the same order and address', async () => {
  const product = await shop.addProduct(9)
  const fields = { shippingAddress: ADDRESS, email: 'c@mail.example', checkoutKey: 'k'.repeat(30) }
  const before = shop.stripe.calculations.size
  await shop.buy(product, fields)
  await shop.buy(product, fields)
  expect(shop.stripe.calculations.size - before).toBe(1)
})

test('asks to check an address that Stripe does not know', async () => {
  const product = await shop.addProduct(9)
  const { status, body } = await shop.buy(product, { shippingAddress: { ...ADDRESS, postalCode: '00000' } })
  expect([status, body]).toEqual([
    400,
    'We could not find the tax for this address. Please check it, ZIP code included.',
  ])
  expect((await shop.stockOf(product)) ?? 0).toBe(9)
})

test('charges nothing while Stripe Tax fails', async () => {
  const product = await shop.addProduct(9)
  // Each of two idempotency keys is tried three times.
  shop.stripe.faults.push(500, 500, 500, 500, 500, 500)
  const { status } = await shop.buy(product, { shippingAddress: { ...ADDRESS, city: 'Elsewhere' } })
  expect([status, await shop.stockOf(product)]).toEqual([503, 9])
})

test('calculates tax although Stripe stored a 500 under the key', async () => {
  const product = await shop.addProduct(9)
  const fields = { shippingAddress: { ...ADDRESS, city: 'Stored' }, email: 'e@mail.example' }
  shop.stripe.faults.push('saved 500')
  expect((await shop.buy(product, fields)).body).toMatchObject({ breakdown: { taxCents: 319 } })
  expect((await shop.buy(product, fields)).body).toMatchObject({ breakdown: { taxCents: 319 } })
})

test('without an address, the home country’s included tax applies', async () => {
  const product = await shop.addProduct(9)
  await shop.run("UPDATE site SET home_country = 'DE'")
  const before = calculationCalls().length
  expect((await shop.buy(product)).body).toMatchObject({
    breakdown: { taxCents: 276, taxIncluded: true },
    tax: { name: 'VAT', ratePer100k: 16_000, isEstimate: true },
  })
  // A quote is an estimate even with an address.
  const request = { amount: 20, productId: product, shippingAddress: ADDRESS }
  const quote = await shop.requestOnce<CartQuote>('POST', '/api/cart/quote', request)
  expect(quote.body.tax).toEqual({ name: 'VAT', ratePer100k: 16_000, isEstimate: true })
  expect(calculationCalls().length).toBe(before)
})

test('a declined wallet releases the stock, another card pays', async () => {
  const product = await shop.addProduct(1)
  const { body } = await shop.buy(product, { shippingAddress: ADDRESS, email: 'd@mail.example' })
  shop.skipEvents()
  shop.stripe.confirm(body.clientSecret, 'wallet_declined')
  expect(await shop.deliverNewEvents()).toEqual([200])
  expect([(await shop.readOrder(body)).status, await shop.stockOf(product)]).toEqual(['failed', 1])
  shop.stripe.confirm(body.clientSecret, 'good')
  expect(await shop.deliverNewEvents()).toEqual([200])
  expect([(await shop.readOrder(body)).status, await shop.stockOf(product)]).toEqual(['paid', 0])
})
