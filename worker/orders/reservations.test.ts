import { env } from 'cloudflare:test'
import { beforeAll, expect, test } from 'vitest'
import { MINUTE_MS } from '../lib/clock'
import { errorOf } from '../testing/client'
import { addProduct, DEMO_ENV, newBuyer } from '../testing/payments'
import { NOON, seedSite } from '../testing/seed'
import { addVerifiedUser, browserWithSession } from '../testing/users'

beforeAll(() => seedSite(env.DB))

test('separates orders by account and adopts the visitor’s', async () => {
  const product = await addProduct(9)
  for (const name of ['ana', 'ben']) await addVerifiedUser(name)
  const [ana, ben] = [
    newBuyer(await browserWithSession('ana', { env: DEMO_ENV, at: NOON })),
    newBuyer(await browserWithSession('ben', { env: DEMO_ENV, at: NOON })),
  ]
  const checkoutKey = 'one-browser-for-everybody'
  const visitorOrder = await newBuyer().buy(product, { checkoutKey })
  const anasOrder = await ana.buy(product, { checkoutKey, quantity: 2, email: 'ana@mail.example' })
  expect(anasOrder.orderId).toBe(visitorOrder.orderId)
  const bensOrder = await ben.buy(product, { checkoutKey })
  expect(bensOrder.orderId).not.toBe(anasOrder.orderId)
  const { orderId, clientSecret } = anasOrder
  // A page opened by the other user names that user's order.
  expect((await ben.buy(product, { checkoutKey, orderId, clientSecret, email: 'ben@mail.example' })).orderId).toBe(
    bensOrder.orderId,
  )
  const next = await newBuyer().buy(product, { checkoutKey })
  expect(next.orderId).not.toBe(anasOrder.orderId)
  const visitorAccess = { orderId: next.orderId, clientSecret: next.clientSecret }
  expect((await ana.buy(product, { checkoutKey, ...visitorAccess })).orderId).toBe(next.orderId)
  expect((await newBuyer().buy(product, { checkoutKey })).orderId).not.toBe(next.orderId)
  expect(await ana.buy(product, { checkoutKey, quantity: 2 })).toMatchObject({ orderId })
  expect((await ana.order(anasOrder)).email).toBe('ana@mail.example')
})

test('stops selling a removed product, honors payments made', async () => {
  const product = await addProduct(5)
  const [early, late] = [newBuyer(), newBuyer()]
  const [startedOrder, openOrder] = [await early.buy(product), await late.buy(product)]
  await env.DB.prepare('UPDATE products SET removed_at = ? WHERE id = ?').bind(NOON, product).run()
  const removed = [404, 'not_found', 'That product does not exist.']
  expect(await errorOf(await newBuyer().requestIntent(product))).toEqual(removed)
  const { orderId, clientSecret } = startedOrder
  expect(await errorOf(await early.requestIntent(product, { quantity: 2, orderId, clientSecret }))).toEqual(removed)
  expect((await late.pay(openOrder)).outcome).toBe('succeeded')
  expect((await late.order(openOrder)).status).toBe('paid')
})

test('limits a visitor’s reservations to 40 units', async () => {
  const [first, second] = [await addProduct(99), await addProduct(99)]
  const buyer = newBuyer()
  const key = () => crypto.randomUUID()
  expect(await errorOf(await buyer.requestIntent(first, { quantity: 41, checkoutKey: key() }))).toEqual([
    409,
    'too_many_reserved',
    'At most 40 pieces can be reserved at a time. Please order fewer.',
  ])
  const reserved = await buyer.buy(first, { quantity: 30, checkoutKey: key() })
  const excess = await buyer.buy(second, { quantity: 10, checkoutKey: key() })
  const enough = [
    409,
    'too_many_reserved',
    'You have 40 pieces reserved already, and at most 40 can be at a time. Please pay for those first, or order fewer.',
  ]
  expect(await errorOf(await buyer.requestIntent(second, { checkoutKey: key() }))).toEqual(enough)
  const { orderId, clientSecret } = excess
  expect((await errorOf(await buyer.requestIntent(second, { quantity: 11, orderId, clientSecret })))[1]).toBe(
    'too_many_reserved',
  )
  expect(await buyer.buy(second, { quantity: 9, orderId, clientSecret })).toMatchObject({ quantity: 9 })
  // Other visitors can buy; payment and expiry free the limit.
  await newBuyer().buy(second, { checkoutKey: key() })
  await buyer.pay(reserved)
  await buyer.buy(second, { quantity: 31, checkoutKey: key() })
  await buyer.buy(second, { quantity: 40, checkoutKey: key(), at: NOON + 16 * MINUTE_MS })
  // The IP hash is removed with the reservation.
  const remembered = "SELECT 1 FROM orders WHERE holder IS NOT NULL AND status NOT IN ('pending', 'failed')"
  expect((await env.DB.prepare(remembered).all()).results).toEqual([])
})
