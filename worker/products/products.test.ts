import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { Product } from '../contract/products'
import { resolveLines } from '../orders/price-order'
import { errorOf, getJson, send } from '../testing/client'
import { db, queryPlan } from '../testing/fixtures'
import { productImages, products, productVariants } from './products.table'

beforeAll(async () => {
  await db.insert(products).values([
    { id: 'hoodie', slug: 'hoodie', name: 'Hoodie', description: 'Warm.', priceCents: 8900, stock: 5, position: 2 },
    {
      id: 'clip',
      slug: 'gold-clip',
      name: 'Clip',
      description: 'Gold.',
      priceCents: 1999,
      stock: 3,
      position: 1,
      isFeatured: true,
    },
    {
      id: 'sold-out',
      slug: 'sold-out',
      name: 'Sold out',
      description: 'Vinyl.',
      priceCents: 100,
      stock: 0,
      position: 3,
      checkoutUrl: 'https://x',
    },
  ])
  await db.insert(productImages).values([
    { productId: 'clip', position: 2, url: '/media/a/2.webp', alt: 'Two' },
    { productId: 'clip', position: 1, url: '/media/a/1.webp', alt: 'One' },
    { productId: 'hoodie', position: 1, url: '/media/a/3.webp', alt: 'Three' },
  ])
})

test('lists products and images in order', async () => {
  const list = z.array(Product).parse(await getJson('/api/products'))
  expect(list.map(({ id, imageUrl }) => [id, imageUrl])).toEqual([
    ['clip', '/media/a/1.webp'],
    ['hoodie', '/media/a/3.webp'],
    ['sold-out', ''],
  ])
  expect(list[0]).toEqual({
    id: 'clip',
    slug: 'gold-clip',
    name: 'Clip',
    description: 'Gold.',
    price: 19.99,
    priceCents: 1999,
    imageUrl: '/media/a/1.webp',
    images: [
      { url: '/media/a/1.webp', alt: 'One' },
      { url: '/media/a/2.webp', alt: 'Two' },
    ],
    stock: 3,
    checkoutUrl: '',
    isFeatured: true,
    ships: true,
    kind: 'shipped',
    releasesAt: null,
    sizeGuide: '',
    variants: [
      {
        id: 'clip-1',
        name: '',
        options: {},
        priceCents: 1999,
        minimumCents: null,
        suggestedCents: null,
        stock: 3,
        imageUrl: null,
        items: [],
      },
    ],
  })
})

test('sorts products by index', async () => {
  const query = db.select().from(products).orderBy(products.position, products.id)
  expect(await queryPlan(query)).toEqual([expect.stringContaining('USING INDEX products_order')])
})

// A different client address for each request avoids the rate limit.
const buy = async (order: unknown) =>
  errorOf(
    await send('POST', '/api/create-payment-intent', order, { headers: { 'cf-connecting-ip': crypto.randomUUID() } }),
  )
const clip = { amount: 19.99, productId: 'clip', quantity: 1 }

test('answers payments_off for a valid order', async () => {
  const paymentsOff = [503, 'payments_off', 'Card payment is not set up on this site yet.']
  expect(await buy(clip)).toEqual(paymentsOff)
  expect(await buy({ ...clip, amount: 3 * 19.99, quantity: 3 })).toEqual(paymentsOff)
  expect(await buy({ amount: 89, productId: 'hoodie', quantity: 1 })).toEqual(paymentsOff)
})

test('rejects unknown products before checking the price', async () => {
  const notFound = [404, 'not_found', 'That product does not exist.']
  for (const productId of ['hat', '-1', '9007199254740993', '__proto__', "' OR 1=1--"])
    expect(await buy({ ...clip, productId })).toEqual(notFound)
})

test('rejects a wrong price before checking stock', async () => {
  const priceChanged = [409, 'price_changed', 'The price has changed. Please refresh.']
  for (const amount of [0, 19.98, 20, 19.995, 1999, 39.98]) expect(await buy({ ...clip, amount })).toEqual(priceChanged)
  expect(await buy({ amount: 2, productId: 'sold-out', quantity: 1 })).toEqual(priceChanged)
})

test('rejects more than the stock', async () => {
  expect(await buy({ amount: 1, productId: 'sold-out', quantity: 1 })).toEqual([409, 'sold_out', 'This is sold out.'])
  expect(await buy({ ...clip, amount: 79.96, quantity: 4 })).toEqual([409, 'sold_out', 'Only 3 of these are left.'])
})

test.each([0, -1, 1.5, 1e9, 100, '1e3', '1', null, Number.NaN])('rejects a quantity of %j', async (quantity) => {
  expect((await buy({ ...clip, quantity })).slice(0, 2)).toEqual([400, 'bad_input'])
})

test('rejects invalid amounts', async () => {
  for (const amount of [-1, '19.99', null, 1e300, Number.POSITIVE_INFINITY])
    expect((await buy({ ...clip, amount })).slice(0, 2)).toEqual([400, 'bad_input'])
  expect((await buy({ ...clip, currency: 'JPY' }))[1]).toBe('bad_input')
  expect((await buy({}))[1]).toBe('bad_input')
})

test('accepts float totals of any quantity', async () => {
  await db.insert(products).values({
    id: 'any',
    slug: 'any',
    name: 'Any',
    description: '',
    priceCents: 0,
    stock: 99,
    position: 9,
  })
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 1_000_000 }),
      fc.integer({ min: 1, max: 99 }),
      async (cents, quantity) => {
        await db.update(productVariants).set({ priceCents: cents }).where(eq(productVariants.productId, 'any'))
        const amount = (cents / 100) * quantity
        const [line] = await resolveLines(db, { productId: 'any', quantity, amount }, { currency: 'USD' })
        expect(line).toMatchObject({ unitPriceCents: cents, quantity })
      },
    ),
    { numRuns: 60 },
  )
})
