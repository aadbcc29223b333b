import { env } from 'cloudflare:test'
import { eq, ne } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import type { CartQuote } from '../contract/cart'
import { discounts } from '../discounts/discounts.table'
import { productVariants } from '../products/products.table'
import { shippingZones, taxRates } from '../shop-settings/shop-settings.table'
import { errorOf } from '../testing/client'
import { db } from '../testing/fixtures'
import { ADDRESS, addProduct, newBuyer, variantOf } from '../testing/payments'
import { NOON, seedSite } from '../testing/seed'

const STANDARD_SHIPPING = {
  id: 'post',
  name: 'Post',
  pricing: 'items' as const,
  baseCents: 500,
  perItemCents: 200,
  bands: [],
  freeFromCents: null,
}
let productId = ''
beforeAll(async () => {
  await seedSite(env.DB)
  productId = await addProduct(5, 2000, true)
  await db.insert(shippingZones).values({
    id: 'eu',
    name: 'Europe',
    kind: 'shipping',
    countries: ['DE'],
    methods: [STANDARD_SHIPPING],
    position: 1,
  })
  await db
    .insert(taxRates)
    .values({ id: 'de', name: 'VAT', country: 'DE', region: '', ratePer100k: 19_000, included: true })
  await db.insert(discounts).values({ id: 'd', code: 'TEN', kind: 'percent', percent: 10, createdAt: NOON })
})

const BERLIN = { ...ADDRESS, city: 'Berlin', state: '', postalCode: '10115', country: 'DE' }
const line = (quantity = 1, variantId = variantOf(productId)) => ({ variantId, quantity })
const request = (body: object, path = '/api/cart/quote') => newBuyer().browser.send('POST', path, body, { at: NOON })
const quote = async (body: object) => (await request(body)).json<CartQuote>()

test('quotes the amount that a payment intent would charge', async () => {
  const body = { lines: [line(2)], shippingAddress: BERLIN, discountCode: 'ten', email: 'buyer@mail.example' }
  const { lines, ...quoted } = await quote(body)
  expect(quoted).toMatchObject({
    breakdown: { linesCents: 4000, discountCents: 400, shippingCents: 700, taxIncluded: true, totalCents: 4300 },
    shippingMethods: [{ id: 'post', name: 'Post', priceCents: 700 }],
    shippingMethodId: 'post',
    discountCode: 'TEN',
    discountNotice: null,
  })
  expect(lines).toMatchObject([{ quantity: 2, unitPriceCents: 2000, available: 5 }])
  const intent = await (await request(body, '/api/create-payment-intent')).json()
  expect(intent).toMatchObject(quoted)
  // Unlike the intent, the quote reserves nothing.
  expect((await quote({ lines: [line()] })).lines[0]?.available).toBe(3)
})

test('reports price and stock differences instead of rejecting the cart', async () => {
  const scarceProductId = await addProduct(1)
  const removedProductId = await addProduct(1)
  await db
    .update(productVariants)
    .set({ removedAt: NOON })
    .where(eq(productVariants.id, variantOf(removedProductId)))
  const lines = [
    { ...line(3, variantOf(scarceProductId)), unitPriceCents: 1 },
    line(1, variantOf(removedProductId)),
    line(1, 'never-sold'),
  ]
  expect(await quote({ lines })).toMatchObject({
    lines: [{ variantId: variantOf(scarceProductId), unitPriceCents: 2000, available: 1, quantity: 3 }],
    breakdown: { linesCents: 6000, totalCents: 6000 },
  })
})

test('quotes a single product that is requested without lines', async () => {
  expect(await quote({ amount: 60, productId, quantity: 3 })).toMatchObject({
    lines: [{ variantId: variantOf(productId), quantity: 3 }],
    breakdown: { linesCents: 6000 },
  })
})

test('explains why a code does not apply', async () => {
  expect(await quote({ lines: [line()], discountCode: 'NOPE' })).toMatchObject({
    discountCode: null,
    discountNotice: 'There is no such code.',
    breakdown: { discountCents: 0 },
  })
})

test('rejects a country without a shipping zone', async () => {
  await db.update(shippingZones).set({ removedAt: NOON }).where(ne(shippingZones.id, 'eu'))
  expect(await errorOf(await request({ lines: [line()], shippingAddress: { ...BERLIN, country: 'JP' } }))).toEqual([
    400,
    'unserved_country',
    'We do not ship to Japan yet. Please use another address.',
  ])
})
