import { env } from 'cloudflare:test'
import { ne } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { discounts } from '../discounts/discounts.table'
import { MINUTE_MS } from '../lib/clock'
import { shippingZones, taxRates } from '../shop-settings/shop-settings.table'
import { site } from '../site/site.table'
import { errorOf } from '../testing/client'
import { db } from '../testing/fixtures'
import { ADDRESS, addProduct, DEMO_ENV, newBuyer, RESERVED_UNTIL, variantOf } from '../testing/payments'
import { NOON, seedSite } from '../testing/seed'
import { spyOnD1 } from '../testing/stores'

const STANDARD_SHIPPING = {
  id: 'post',
  name: 'Post',
  pricing: 'items' as const,
  baseCents: 500,
  perItemCents: 0,
  bands: [],
  freeFromCents: null,
}
let productId = ''
beforeAll(async () => {
  await seedSite(env.DB)
  productId = await addProduct(50, 2000, true)
  await db.insert(shippingZones).values({
    id: 'home',
    name: 'Home',
    kind: 'shipping',
    countries: ['US', 'DE'],
    methods: [STANDARD_SHIPPING],
    position: 1,
  })
  await db.update(shippingZones).set({ removedAt: NOON }).where(ne(shippingZones.id, 'home'))
  await db.insert(taxRates).values([
    { id: 'de', name: 'VAT', country: 'DE', region: '', ratePer100k: 19_000, included: true },
    { id: 'fl', name: 'Sales tax', country: 'US', region: 'FL', ratePer100k: 7000, included: false },
  ])
  await db.insert(discounts).values({ id: 'd', code: 'OVER', kind: 'percent', percent: 10, createdAt: 0, endsAt: NOON })
})

const line = (quantity = 1, changes: object = {}) => ({ variantId: variantOf(productId), quantity, ...changes })
const BERLIN = { ...ADDRESS, city: 'Berlin', state: '', postalCode: '10115', country: 'DE' }

const manyLines = (length: number) => ({
  lines: Array.from({ length }, (_, index) => ({ variantId: `v${index}`, quantity: 1 })),
})

/** Orders that are rejected before a payment intent exists, each with its error. */
const REJECTIONS: [name: string, body: () => object, status: number, code: string, message: string][] = [
  [
    'an unserved country',
    () => ({ lines: [line()], shippingAddress: { ...BERLIN, country: 'JP' } }),
    400,
    'unserved_country',
    'We do not ship to Japan yet. Please use another address.',
  ],
  [
    'mixed currencies',
    () => ({ lines: [line(1, { currency: 'EUR' })] }),
    400,
    'bad_input',
    'This shop sells in USD only. Please reload the cart.',
  ],
  ['51 lines', () => manyLines(51), 400, 'bad_input', 'An order has at most 50 lines. Please make two orders.'],
  ['1,000 lines', () => manyLines(1000), 413, 'too_large', 'That is too large to send.'],
  ['a negative quantity', () => ({ lines: [line(-1)] }), 400, 'bad_input', 'The quantity must be at least 1.'],
  [
    'a changed price',
    () => ({ lines: [line(1, { unitPriceCents: 1900 })] }),
    409,
    'price_changed',
    'The price has changed. Please refresh.',
  ],
  ['sold-out goods', () => ({ lines: [line(51)] }), 409, 'sold_out', 'Only 50 of these are left.'],
  [
    'an expired code',
    () => ({ lines: [line()], discountCode: 'over' }),
    400,
    'discount_rejected',
    'OVER ended on July 1, 2026 at 12:00 PM.',
  ],
]

test.each(REJECTIONS)('rejects %s before a payment', async (_, body, status, code, message) => {
  const response = await newBuyer().browser.send('POST', '/api/create-payment-intent', body(), { at: NOON })
  expect(await errorOf(response)).toEqual([status, code, message])
  expect(await env.DB.prepare('SELECT count(*) AS count FROM orders').first()).toEqual({ count: 0 })
})

test('rejects paying an expired order whose stock is sold', async () => {
  const scarce = await addProduct(1)
  const [slowBuyer, quickBuyer] = [newBuyer(), newBuyer()]
  const intent = await slowBuyer.buy(scarce)
  const afterReservation = RESERVED_UNTIL + MINUTE_MS
  await quickBuyer.pay(await quickBuyer.buy(scarce, { at: afterReservation }), 'succeeds', { at: afterReservation })
  const rejected = await slowBuyer.confirmCard(intent, 'succeeds', { at: afterReservation })
  expect([rejected.status, await rejected.text()]).toEqual([410, 'This order has expired. Please start again.'])
  expect(await errorOf(await slowBuyer.requestIntent(scarce, { at: afterReservation }))).toEqual([
    409,
    'sold_out',
    'This is sold out.',
  ])
})

test.each(['INSERT INTO orders', 'UPDATE orders SET'])(
  'rejects a price that changes just before %s',
  async (statement) => {
    const id = await addProduct(50)
    const buyer = newBuyer()
    if (statement.startsWith('UPDATE')) await buyer.buy(id)
    const { DB } = spyOnD1(env.DB, {
      before: async (_, sql) => {
        if (sql.some((text) => text.trim().startsWith(statement)))
          await env.DB.prepare('UPDATE product_variants SET price_cents = 2100 WHERE product_id = ?1').bind(id).run()
      },
    })
    const body = { productId: id, quantity: 2, amount: 40 }
    const response = await buyer.browser.send('POST', '/api/create-payment-intent', body, {
      at: NOON,
      env: { ...DEMO_ENV, DB },
    })
    expect(await errorOf(response)).toEqual([409, 'price_changed', 'The price has changed. Please refresh.'])
  },
)

const quote = async (fields: object = {}) => {
  const body = { lines: [line()], ...fields }
  const response = await newBuyer().browser.send('POST', '/api/cart/quote', body, { at: NOON, env: DEMO_ENV })
  return response.json<{ breakdown: object; tax: object | null }>()
}

test('shows the home country’s included tax without an address', async () => {
  const setHomeCountry = (homeCountry: string) => db.update(site).set({ homeCountry })
  expect((await quote()).tax).toBe(null)
  await setHomeCountry('DE')
  expect(await quote()).toMatchObject({
    breakdown: { taxCents: 319, taxIncluded: true, totalCents: 2000 },
    tax: { name: 'VAT', ratePer100k: 19_000, isEstimate: true },
  })
  // The address decides as soon as it is known.
  expect(await quote({ shippingAddress: ADDRESS })).toMatchObject({
    breakdown: { taxCents: 175, taxIncluded: false, totalCents: 2675 },
    tax: { name: 'Sales tax', ratePer100k: 7000, isEstimate: false },
  })
  // A tax that is added to prices is not estimated without the address.
  await setHomeCountry('US')
  expect(await quote()).toMatchObject({ breakdown: { taxCents: 0, totalCents: 2000 }, tax: null })
  await setHomeCountry('')
})

test('shows 19% included VAT on a German receipt', async () => {
  const buyer = newBuyer()
  const body = { lines: [line()], email: 'kaeufer@mail.example', shippingAddress: BERLIN }
  const response = await buyer.browser.send('POST', '/api/create-payment-intent', body, { at: NOON })
  const intent = await response.json<Awaited<ReturnType<typeof buyer.buy>>>()
  const { breakdown, tax } = intent
  expect(breakdown).toMatchObject({ shippingCents: 500, taxCents: 399, taxIncluded: true, totalCents: 2500 })
  await buyer.pay(intent)
  expect(await buyer.order(intent)).toMatchObject({ status: 'paid', breakdown, tax })
  const receipt = await env.DB.prepare("SELECT text FROM outbox WHERE kind = 'receipt' AND recipient = ?")
    .bind(body.email)
    .first<string>('text')
  expect(receipt).toMatch(/Includes 19% VAT:? *\$3\.99/)
})
