import { env } from 'cloudflare:test'
import { beforeAll, expect, test } from 'vitest'
import { MINUTE } from '../lib/clock'
import { addProduct, DEMO, newBuyer } from '../testing/buyers'
import { refusal } from '../testing/client'
import { furnish, NOON } from '../testing/furnish'
import { addPerson, entered } from '../testing/people'

beforeAll(() => furnish(env.DB))

test('two people who use one browser have an order each, and a visitor’s goes along with who logs in', async () => {
  const product = await addProduct(9)
  for (const name of ['ana', 'ben']) await addPerson(name)
  const [ana, ben] = [
    newBuyer(await entered('ana', { env: DEMO, at: NOON })),
    newBuyer(await entered('ben', { env: DEMO, at: NOON })),
  ]
  const checkoutKey = 'one-browser-for-everybody'
  const visitors = await newBuyer().buy(product, { checkoutKey })
  const hers = await ana.buy(product, { checkoutKey, quantity: 2, email: 'ana@mail.example' })
  expect(hers.orderId).toBe(visitors.orderId)
  const his = await ben.buy(product, { checkoutKey })
  expect(his.orderId).not.toBe(hers.orderId)
  const { orderId, clientSecret } = hers
  // Nor by naming hers, which a page that was left open does.
  expect((await ben.buy(product, { checkoutKey, orderId, clientSecret, email: 'ben@mail.example' })).orderId).toBe(
    his.orderId,
  )
  const next = await newBuyer().buy(product, { checkoutKey })
  expect(next.orderId).not.toBe(hers.orderId)
  const named = { orderId: next.orderId, clientSecret: next.clientSecret }
  expect((await ana.buy(product, { checkoutKey, ...named })).orderId).toBe(next.orderId)
  expect((await newBuyer().buy(product, { checkoutKey })).orderId).not.toBe(next.orderId)
  expect(await ana.buy(product, { checkoutKey, quantity: 2 })).toMatchObject({ orderId })
  expect((await ana.order(hers)).email).toBe('ana@mail.example')
})

test('a product that was taken down is not sold, not even to who has begun; what was paid by then is theirs', async () => {
  const product = await addProduct(5)
  const [early, late] = [newBuyer(), newBuyer()]
  const [begun, kept] = [await early.buy(product), await late.buy(product)]
  await env.DB.prepare('UPDATE products SET removed_at = ? WHERE id = ?').bind(NOON, product).run()
  const gone = [404, 'not_found', 'That product does not exist.']
  expect(await refusal(await newBuyer().ask(product))).toEqual(gone)
  const { orderId, clientSecret } = begun
  expect(await refusal(await early.ask(product, { quantity: 2, orderId, clientSecret }))).toEqual(gone)
  expect((await late.pay(kept)).outcome).toBe('succeeded')
  expect((await late.order(kept)).status).toBe('paid')
})

test('one visitor keeps at most 40 pieces from the others, whatever keys and products they come with', async () => {
  const [first, second] = [await addProduct(99), await addProduct(99)]
  const buyer = newBuyer()
  const key = () => crypto.randomUUID()
  expect(await refusal(await buyer.ask(first, { quantity: 41, checkoutKey: key() }))).toEqual([
    409,
    'too_many_reserved',
    'At most 40 pieces can be reserved at a time. Please order fewer.',
  ])
  const kept = await buyer.buy(first, { quantity: 30, checkoutKey: key() })
  const more = await buyer.buy(second, { quantity: 10, checkoutKey: key() })
  const enough = [
    409,
    'too_many_reserved',
    'You have 40 pieces reserved already, and at most 40 can be at a time. Please pay for those first, or order fewer.',
  ]
  expect(await refusal(await buyer.ask(second, { checkoutKey: key() }))).toEqual(enough)
  const { orderId, clientSecret } = more
  expect((await refusal(await buyer.ask(second, { quantity: 11, orderId, clientSecret })))[1]).toBe('too_many_reserved')
  expect(await buyer.buy(second, { quantity: 9, orderId, clientSecret })).toMatchObject({ quantity: 9 })
  // Somebody else has some, and so has whoever pays, or lets the time pass.
  await newBuyer().buy(second, { checkoutKey: key() })
  await buyer.pay(kept)
  await buyer.buy(second, { quantity: 31, checkoutKey: key() })
  await buyer.buy(second, { quantity: 40, checkoutKey: key(), at: NOON + 16 * MINUTE })
  // What stands for an address is forgotten with the reservation.
  const remembered = "SELECT 1 FROM orders WHERE holder IS NOT NULL AND status NOT IN ('pending', 'failed')"
  expect((await env.DB.prepare(remembered).all()).results).toEqual([])
})
