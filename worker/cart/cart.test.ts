import { env } from 'cloudflare:test'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { type CartLine, MAX_CART_LINES, MAX_SAVED_ADDRESSES } from '../contract/cart'
import { RETENTION } from '../contract/retention'
import { eraseUser } from '../gdpr/erase-user'
import { DAY_MS } from '../lib/clock'
import { products, productVariants } from '../products/products.table'
import { errorOf } from '../testing/client'
import { db } from '../testing/fixtures'
import { NOON } from '../testing/seed'
import { addNamedUser, browserWithSession } from '../testing/users'
import { mergeCart, readCart, saveCart } from './cart'
import { personalData } from './personal-data'
import { saveAddress } from './saved-addresses'

/** Stock by variant id. */
const STOCK = { s: 0, m: 3, l: 20 }
let userId = 0
let userCount = 0

beforeAll(async () => {
  await db.insert(products).values({
    id: 'hoodie',
    slug: 'hoodie',
    name: 'Hoodie',
    description: '',
    priceCents: 8900,
    stock: 0,
    position: 1,
  })
  const variant = { productId: 'hoodie', options: {}, priceCents: 8900 }
  await db
    .insert(productVariants)
    .values([
      ...Object.entries(STOCK).map(([id, stock], index) => ({ ...variant, id, name: id, position: index + 2, stock })),
      { ...variant, id: 'album', name: 'FLAC', position: 8, minimumCents: 700, suggestedCents: 1200 },
      { ...variant, id: 'removed', name: 'Removed', position: 9, stock: 5, removedAt: 1 },
    ])
})

beforeEach(async () => {
  userId = (await addNamedUser(`cart-fan-${++userCount}`)).id
})

const line = (variantId: string, quantity = 1, unitPriceCents: number | null = null): CartLine => ({
  variantId,
  quantity,
  unitPriceCents,
})
const at = NOON
const browser = () => browserWithSession(`cart-fan-${userCount}`, { at })

test('replaces the cart, omitting removed variants', async () => {
  await saveCart(db, { userId, at, lines: [line('m', 2), line('removed'), line('unknown'), line('l')] })
  expect((await readCart(db, userId)).lines).toEqual([line('m', 2), line('l')])
  await saveCart(db, { userId, at, lines: [line('l', 4)] })
  expect((await readCart(db, userId)).lines).toEqual([line('l', 4)])
})

test('merges the larger quantity, within stock, at least one', async () => {
  await saveCart(db, { userId, at, lines: [line('m', 2), line('l', 5)] })
  const { lines } = await mergeCart(db, {
    userId,
    at,
    lines: [line('l', 2), line('m', 9), line('s', 4), line('album', 3, 1500)],
  })
  expect(lines).toEqual([line('m', 3), line('l', 5), line('s', 1), line('album', 3, 1500)])
})

test('merging the same cart twice changes nothing', async () => {
  const lines = [line('m', 2), line('l', 7)]
  const once = await mergeCart(db, { userId, at, lines })
  expect(await mergeCart(db, { userId, at, lines })).toEqual(once)
})

test('stores a price only for pay-what-you-want variants', async () => {
  const { lines } = await saveCart(db, { userId, at, lines: [line('m', 1, 1), line('album', 1, 900)] })
  expect(lines).toEqual([line('m', 1), line('album', 1, 900)])
})

test.each([
  ['51 lines', Array.from({ length: MAX_CART_LINES + 1 }, () => line('m')), 'A cart has at most 50 lines.'],
  ['a negative quantity', [line('m', -2)], 'The quantity must be at least 1.'],
  ['a quantity of 100', [line('m', 100)], 'The quantity must be at most 99.'],
  ['a fractional quantity', [line('m', 1.5)], 'The quantity must be a whole number.'],
])('rejects %s', async (_, lines, message) => {
  const response = await (await browser()).send('POST', '/api/account/cart', { lines })
  expect(await errorOf(response)).toEqual([400, 'bad_input', message])
})

test('concurrent merges leave one line per variant', async () => {
  await Promise.all(
    Array.from({ length: 10 }, (_, index) => mergeCart(db, { userId, at, lines: [line('l', index + 1)] })),
  )
  expect((await readCart(db, userId)).lines).toEqual([line('l', 10)])
})

const ADDRESS = { name: 'A Fan', line1: '1 Bay Street', city: 'Tampa', state: 'FL', postalCode: '33602', country: 'US' }

test('saves an address once and lists the last used first', async () => {
  const supporter = await browser()
  const save = async (city: string) =>
    (await supporter.send('POST', '/api/account/addresses', { shippingAddress: { ...ADDRESS, city } })).json<
      { id: string; shippingAddress: { city: string } }[]
    >()
  await save('Tampa')
  await saveAddress(db, { userId, address: { ...ADDRESS, city: 'Ocala' }, at: at + 1 })
  await saveAddress(db, { userId, address: { ...ADDRESS, line2: '', city: 'Tampa' }, at: at + 2 })
  const list = await (await supporter.send('GET', '/api/account/addresses')).json<
    { id: string; shippingAddress: { city: string } }[]
  >()
  expect(list.map(({ shippingAddress }) => shippingAddress.city)).toEqual(['Tampa', 'Ocala'])
  expect((await supporter.send('DELETE', `/api/account/addresses/${list[0]?.id}`)).status).toBe(204)
  expect((await supporter.send('DELETE', `/api/account/addresses/${list[0]?.id}`)).status).toBe(404)
})

test('deletes only the caller’s own address', async () => {
  const [saved] = await saveAddress(db, { userId, address: ADDRESS, at })
  await addNamedUser(`cart-fan-${++userCount}`)
  expect((await (await browser()).send('DELETE', `/api/account/addresses/${saved?.id}`)).status).toBe(404)
})

test('saves at most five addresses, also concurrently', async () => {
  const save = (index: number) => saveAddress(db, { userId, address: { ...ADDRESS, city: `City ${index}` }, at })
  const results = await Promise.allSettled(Array.from({ length: 9 }, (_, index) => save(index)))
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(MAX_SAVED_ADDRESSES)
  await expect(save(10)).rejects.toThrow('You have 5 saved addresses. Delete one in your account first.')
})

/** Number of cart lines and saved addresses of a user. */
const countRowsOf = async (id: number) =>
  (
    await env.DB.prepare(
      'SELECT (SELECT count(*) FROM cart_lines WHERE user_id = ?1) + (SELECT count(*) FROM saved_addresses WHERE user_id = ?1) AS count',
    )
      .bind(id)
      .first<{ count: number }>()
  )?.count

test('erases cart and addresses with the account', async () => {
  await saveCart(db, { userId, at, lines: [line('m')] })
  await saveAddress(db, { userId, address: ADDRESS, at })
  expect(await countRowsOf(userId)).toBe(2)
  await eraseUser({ db, secret: env.SIGNING_SECRET }, { userId, byUserRequest: true }, at)
  expect(await countRowsOf(userId)).toBe(0)
  // A late request of the erased account writes nothing.
  await saveCart(db, { userId, at, lines: [line('m')] })
  await expect(saveAddress(db, { userId, address: ADDRESS, at })).rejects.toThrow()
  expect(await countRowsOf(userId)).toBe(0)
})

test('deletes carts half a year after their last change', async () => {
  await saveCart(db, { userId, at, lines: [line('m')] })
  const [job] = personalData.retention ?? []
  const deps = { db } as never
  await job?.step(deps, at + RETENTION.cartDays * DAY_MS - 1)
  expect((await readCart(db, userId)).lines).toHaveLength(1)
  await job?.step(deps, at + RETENTION.cartDays * DAY_MS)
  expect((await readCart(db, userId)).lines).toEqual([])
})
