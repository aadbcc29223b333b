import { env } from 'cloudflare:test'
import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import type { IntentLine } from '../contract/checkout'
import { findWrongTotals } from '../db/totals'
import { bundleItems, productVariants } from '../products/products.table'
import { errorOf } from '../testing/client'
import { emailsTo } from '../testing/emails'
import { db } from '../testing/fixtures'
import { ADDRESS, addProduct, addVariants, newBuyer, variantOf, variantStock } from '../testing/payments'
import { NOON, seedSite } from '../testing/seed'

beforeAll(() => seedSite(env.DB))

const SIZES = ['S', 'M', 'L', 'XL', 'XXL'] as const
/** Sends a cart to the checkout, which creates or updates its order. */
const sendCart = (buyer: ReturnType<typeof newBuyer>, lines: IntentLine[], fields: Record<string, unknown> = {}) =>
  buyer.browser.send('POST', '/api/create-payment-intent', { lines, ...fields }, { at: NOON })
const line = (variantId: string, quantity = 1) => ({ variantId, quantity })

test('tracks the stock of each size separately', async () => {
  const hoodie = await addProduct(0)
  const ids = await addVariants(hoodie, 'Size', SIZES, { stock: 1 })
  for (const [index, id] of ids.entries()) {
    const intent = await (await sendCart(newBuyer(), [line(id)])).json<{ lines: object[] }>()
    expect(intent.lines).toMatchObject([{ variantId: id, variantName: SIZES[index], quantity: 1, available: 1 }])
    expect(await errorOf(await sendCart(newBuyer(), [line(id)]))).toEqual([409, 'sold_out', 'This is sold out.'])
    expect(await Promise.all(ids.map(variantStock))).toEqual(ids.map((_, other) => (other > index ? 1 : 0)))
  }
})

test('requires a variant when a product has several', async () => {
  const hoodie = await addProduct(0)
  await addVariants(hoodie, 'Size', SIZES, { stock: 1 })
  expect(await errorOf(await newBuyer().requestIntent(hoodie))).toEqual([400, 'choose_variant', 'Choose a size first.'])
})

test('reserves all lines or none and names the sold-out one', async () => {
  const [cap, hoodie] = [await addProduct(5), await addProduct(0)]
  const [small = '', medium = ''] = await addVariants(hoodie, 'Size', SIZES, { stock: 1 })
  await sendCart(newBuyer(), [line(medium)])
  const lines = [line(variantOf(cap), 2), line(small), line(medium)]
  const [status, code, message] = await errorOf(await sendCart(newBuyer(), lines))
  expect([status, code]).toEqual([409, 'sold_out'])
  expect(message).toMatch(/^Product \d+ \(M\) is sold out\.$/)
  expect([await variantStock(variantOf(cap)), await variantStock(small)]).toEqual([5, 1])
})

test('replaces the lines of an open cart', async () => {
  const [cap, hoodie] = [await addProduct(5), await addProduct(0)]
  const [small = '', medium = ''] = await addVariants(hoodie, 'Size', SIZES, { stock: 1 })
  const buyer = newBuyer()
  const checkoutKey = 'c'.repeat(22)
  const firstIntent = await (await sendCart(buyer, [line(variantOf(cap), 2), line(small)], { checkoutKey })).json<{
    orderId: string
  }>()
  const changedIntent = await (await sendCart(buyer, [line(medium), line(variantOf(cap))], { checkoutKey })).json<{
    orderId: string
  }>()
  expect(changedIntent).toMatchObject({ orderId: firstIntent.orderId, amountCents: 4000, quantity: 2 })
  expect([await variantStock(variantOf(cap)), await variantStock(small), await variantStock(medium)]).toEqual([4, 1, 0])
})

test('opens one cart order for ten concurrent requests', async () => {
  const product = await addProduct(5)
  const checkoutKey = crypto.randomUUID()
  const lines = [line(variantOf(product))]
  const responses = await Promise.all(Array.from({ length: 10 }, () => sendCart(newBuyer(), lines, { checkoutKey })))
  const intents = await Promise.all(responses.map((response) => response.json<{ orderId: string }>()))
  expect(responses.map(({ status }) => status)).toEqual(Array(10).fill(200))
  expect(new Set(intents.map(({ orderId }) => orderId)).size).toBe(1)
  // Requests that change nothing write nothing.
  expect(await env.DB.prepare('SELECT revision FROM orders WHERE product_id = ?').bind(product).first()).toEqual({
    revision: 1,
  })
})

test('rejects line changes while the payment is in progress', async () => {
  const [cap, scarf] = [await addProduct(5), await addProduct(5)]
  const buyer = newBuyer()
  const checkoutKey = crypto.randomUUID()
  const lines = [line(variantOf(cap), 2)]
  const intent = await (await sendCart(buyer, lines, { checkoutKey })).json<{ orderId: string; clientSecret: string }>()
  await env.DB.prepare("UPDATE test_intents SET status = 'succeeded' WHERE order_id = ?").bind(intent.orderId).run()
  const change = await errorOf(await sendCart(buyer, [line(variantOf(scarf)), line(variantOf(cap))], { checkoutKey }))
  expect(change).toEqual([409, 'payment_under_way', 'This payment is already under way.'])
  expect([await variantStock(variantOf(cap)), await variantStock(variantOf(scarf))]).toEqual([3, 5])
  await (await buyer.confirmCard(intent)).text()
  expect(await buyer.order(intent)).toMatchObject({ status: 'paid', amountCents: 4000, quantity: 2 })
})

test('reserves every item of a bundle', async () => {
  const [vinyl, cap, set] = [await addProduct(3), await addProduct(2), await addProduct(0)]
  await db.insert(bundleItems).values([
    { bundleVariantId: variantOf(set), variantId: variantOf(vinyl), quantity: 2 },
    { bundleVariantId: variantOf(set), variantId: variantOf(cap), quantity: 1 },
  ])
  expect(await variantStock(variantOf(set))).toBe(1)
  const buyer = newBuyer()
  // The bundle takes two of three records: a cart with two more cannot be reserved.
  expect((await errorOf(await sendCart(buyer, [line(variantOf(set)), line(variantOf(vinyl), 2)])))[1]).toBe('sold_out')
  const intent = await (await sendCart(buyer, [line(variantOf(set)), line(variantOf(vinyl))])).json<{
    orderId: string
    clientSecret: string
  }>()
  expect([await variantStock(variantOf(vinyl)), await variantStock(variantOf(cap))]).toEqual([0, 1])
  await buyer.pay(intent, 'declined')
  expect([await variantStock(variantOf(vinyl)), await variantStock(variantOf(cap))]).toEqual([3, 2])
  expect(await variantStock(variantOf(set))).toBe(1)
})

test('sells the last unit to one of 100 concurrent buyers', async () => {
  const hoodie = await addProduct(0)
  const [small = '', medium = ''] = await addVariants(hoodie, 'Size', SIZES, { stock: 1 })
  const responses = await Promise.all(
    Array.from({ length: 100 }, () => sendCart(newBuyer(), [line(medium), line(small)])),
  )
  const statuses = responses.map(({ status }) => status)
  await Promise.all(responses.map((response) => response.text()))
  expect([
    statuses.filter((status) => status === 200).length,
    statuses.filter((status) => status === 409).length,
  ]).toEqual([1, 99])
  expect([await variantStock(small), await variantStock(medium)]).toEqual([0, 0])
  expect(await findWrongTotals(env.DB)).toEqual([])
})

test('marks a free order paid when it gets an email', async () => {
  const sticker = await addProduct(9, 0)
  const buyer = newBuyer()
  const lines = [line(variantOf(sticker))]
  const open = await (await sendCart(buyer, lines)).json()
  expect(open).toMatchObject({ clientSecret: null, status: 'pending', amountCents: 0 })
  const paid = await (await sendCart(buyer, lines, { email: 'free@mail.example' })).json<{ receiptUrl: string }>()
  expect(paid).toMatchObject({ clientSecret: null, status: 'paid' })
  expect(paid.receiptUrl).toMatch(/^\/orders\/ord_.*\?token=/)
  expect((await emailsTo('free@mail.example')).map(({ kind }) => kind)).toEqual(['receipt'])
  expect(await variantStock(variantOf(sticker))).toBe(8)
})

test('sends a mailbox at most six free-order receipts a day', async () => {
  const lines = [line(variantOf(await addProduct(9, 0)))]
  for (let order = 1; order <= 7; order++) {
    const response = await sendCart(newBuyer(), lines, { email: 'many@mail.example' })
    expect(await response.json()).toMatchObject({ status: 'paid' })
  }
  expect(await emailsTo('many@mail.example')).toHaveLength(6)
})

test.each<[string, Partial<IntentLine>, string]>([
  ['a price from 1 to 49 cents', { unitPriceCents: 20 }, 'A card payment must come to at least $0.50.'],
  ['less than the minimum', { unitPriceCents: 5 }, 'costs at least $0.10.'],
])('rejects %s', async (_, change, message) => {
  const song = await addProduct(9, 100)
  await db
    .update(productVariants)
    .set({ minimumCents: 10, suggestedCents: 100 })
    .where(eq(productVariants.productId, song))
  const [status, code, text] = await errorOf(await sendCart(newBuyer(), [{ ...line(variantOf(song)), ...change }]))
  expect([status, code]).toEqual([400, 'bad_input'])
  expect(text).toContain(message)
})

test('adds shipping and tax when the address is known', async () => {
  await env.DB.batch([
    env.DB.prepare('UPDATE shipping_zones SET removed_at = 1'),
    env.DB.prepare(
      `INSERT INTO shipping_zones (id, name, kind, countries, methods, position) VALUES ('europe', 'Europe', 'shipping', '["DE"]',
        '[{"id":"standard","name":"Standard","pricing":"items","baseCents":900,"perItemCents":100,"bands":[],"freeFromCents":null}]', 1)`,
    ),
    env.DB.prepare(
      "INSERT INTO tax_rates (id, name, country, region, rate_per_100k, included) VALUES ('de', 'VAT', 'DE', '', 19000, 1)",
    ),
  ])
  const hoodie = await addProduct(5, 5000, true)
  const buyer = newBuyer()
  const lines = [line(variantOf(hoodie), 2)]
  const open = await (await sendCart(buyer, lines)).json<{ orderId: string; clientSecret: string }>()
  expect(open).toMatchObject({ amountCents: 10_000, shippingMethods: [] })
  expect(await errorOf(await buyer.confirmCard(open))).toEqual([
    409,
    'address_required',
    'Please enter your email and the shipping address before you pay.',
  ])
  const unserved = await errorOf(await sendCart(buyer, lines, { shippingAddress: ADDRESS }))
  expect(unserved.slice(0, 2)).toEqual([400, 'unserved_country'])
  expect(unserved[2]).toContain('the United States')
  const shippingAddress = { ...ADDRESS, country: 'DE', state: '' }
  const complete = await (await sendCart(buyer, lines, { shippingAddress, email: 'de@mail.example' })).json()
  expect(complete).toMatchObject({
    amountCents: 11_000,
    shippingMethodId: 'standard',
    breakdown: { linesCents: 10_000, shippingCents: 1000, taxCents: 1757, taxIncluded: true, totalCents: 11_000 },
  })
  expect(await buyer.pay(open)).toMatchObject({ outcome: 'succeeded' })
  expect(await buyer.order(open)).toMatchObject({ status: 'paid', amountCents: 11_000 })
})
