import { env } from 'cloudflare:test'
import { beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { PaymentIntent } from '../contract/checkout'
import { MyOrder, Order } from '../contract/orders'
import { MINUTE_MS } from '../lib/clock'
import { errorOf, getJson, newBrowser, send, statusAndCodeOf } from '../testing/client'
import { emailsTo } from '../testing/emails'
import { ADDRESS, addProduct, DEMO_ENV, newBuyer, stockOf } from '../testing/payments'
import { NOON, seedSite } from '../testing/seed'
import { spyOnD1 } from '../testing/stores'
import { addNamedUser, browserWithSession } from '../testing/users'

beforeAll(() => seedSite(env.DB))

const ordersOf = async (productId: string) =>
  (await env.DB.prepare('SELECT id, status FROM orders WHERE product_id = ? ORDER BY created_at').bind(productId).all())
    .results

test('creates an order and reserves stock for 15 minutes', async () => {
  const product = await addProduct(5)
  const buyer = newBuyer()
  const intent = PaymentIntent.parse(await buyer.buy(product, { quantity: 2 }))
  expect(intent).toMatchObject({
    amountCents: 4000,
    quantity: 2,
    unitPriceCents: 2000,
    discountCents: 0,
    promotionCode: null,
  })
  expect(intent.reservedUntil).toBe(new Date(NOON + 15 * MINUTE_MS).toISOString())
  expect(await stockOf(product)).toEqual({ stock: 3, held: 2 })
  const order = Order.parse(await buyer.order(intent))
  expect(order).toMatchObject({ status: 'pending', message: null, amountCents: 4000, paidAt: null, test: true })
})

test('only the webhook marks an order as paid', async () => {
  const product = await addProduct(1)
  const buyer = newBuyer()
  const intent = await buyer.buy(product)
  expect(await buyer.pay(intent)).toEqual({ outcome: 'succeeded', message: null })
  expect(await buyer.order(intent)).toMatchObject({ status: 'paid', paidAt: new Date(NOON).toISOString() })
  expect(await stockOf(product)).toEqual({ stock: 0, held: 1 })
  const events = await env.DB.prepare('SELECT type, state FROM payment_events WHERE order_id = ?')
    .bind(intent.orderId)
    .all()
  expect(events.results).toEqual([{ type: 'payment_intent.succeeded', state: 'applied' }])
})

test('rejects paying or changing a paid order', async () => {
  const buyer = newBuyer()
  const product = await addProduct(5)
  const intent = await buyer.buy(product)
  await buyer.pay(intent)
  const paid = [409, 'order_paid', 'This order has already been paid.']
  expect(await errorOf(await buyer.confirmCard(intent))).toEqual(paid)
  const { orderId, clientSecret } = intent
  expect(await errorOf(await buyer.requestIntent(product, { quantity: 2, orderId, clientSecret }))).toEqual(paid)
  // The next purchase creates a new order.
  expect((await buyer.buy(product)).orderId).not.toBe(orderId)
})

test('releases stock after a decline and allows another card', async () => {
  const product = await addProduct(1)
  const [buyer, other] = [newBuyer(), newBuyer()]
  const intent = await buyer.buy(product)
  expect(await buyer.pay(intent, 'declined')).toEqual({
    outcome: 'declined',
    message: 'Your card was declined. Please try another card.',
  })
  expect((await buyer.order(intent)).status).toBe('failed')
  expect(await stockOf(product)).toEqual({ stock: 1, held: 0 })
  // Requesting the intent again reserves stock for the same order.
  expect(await buyer.buy(product)).toMatchObject({ orderId: intent.orderId, clientSecret: intent.clientSecret })
  expect(await errorOf(await other.requestIntent(product))).toEqual([409, 'sold_out', 'This is sold out.'])
  await buyer.pay(intent, 'declined')
  await other.buy(product)
  expect((await errorOf(await buyer.requestIntent(product)))[1]).toBe('sold_out')
})

test('a 3-D Secure payment needs the bank’s approval', async () => {
  const buyer = newBuyer()
  const intent = await buyer.buy(await addProduct(1))
  expect((await buyer.pay(intent, 'second_step')).outcome).toBe('needs_second_step')
  expect((await buyer.order(intent)).status).toBe('pending')
  expect((await buyer.pay(intent, 'second_step', { secondStep: 'refuse' })).outcome).toBe('declined')
  expect((await buyer.order(intent)).status).toBe('failed')
  // Without a new reservation, the payment takes the remaining stock.
  expect((await buyer.pay(intent, 'second_step', { secondStep: 'approve' })).outcome).toBe('succeeded')
  expect((await buyer.order(intent)).status).toBe('paid')
})

test('changes, other tabs and lost responses continue the same order', async () => {
  const product = await addProduct(5)
  const buyer = newBuyer()
  const checkoutKey = 'k'.repeat(22)
  const [first, same] = await Promise.all([buyer.buy(product, { checkoutKey }), buyer.buy(product, { checkoutKey })])
  expect(same).toEqual(first)
  const { orderId, clientSecret } = first
  // The order is found by its secret, by the cookie, or by the checkout key.
  expect(await buyer.buy(product, { quantity: 3, orderId, clientSecret })).toMatchObject({ orderId, amountCents: 6000 })
  expect(await buyer.buy(product, { quantity: 2 })).toMatchObject({ orderId, amountCents: 4000 })
  expect(await newBuyer().buy(product, { quantity: 4, checkoutKey })).toMatchObject({ orderId, clientSecret })
  // The order's own reservation counts as available.
  expect(await newBuyer().buy(product, { quantity: 4, checkoutKey })).toMatchObject({ available: 5 })
  expect(await ordersOf(product)).toHaveLength(1)
  expect(await stockOf(product)).toEqual({ stock: 1, held: 4 })
  const excess = await buyer.requestIntent(product, { quantity: 6 })
  expect(excess.headers.get('x-stock-left')).toBe('5')
  expect((await errorOf(excess))[2]).toBe('Only 5 of these are left.')
  // Omitted fields do not change.
  expect(await buyer.buy(product, { amount: 80 })).toMatchObject({ quantity: 4 })
  await buyer.pay({ orderId, clientSecret })
  expect(await buyer.order({ orderId, clientSecret })).toMatchObject({ status: 'paid', amountCents: 8000, quantity: 4 })
})

test('expires the order after 15 minutes', async () => {
  const product = await addProduct(1)
  const [buyer, other] = [newBuyer(), newBuyer()]
  const intent = await buyer.buy(product)
  const expiresAt = NOON + 15 * MINUTE_MS
  expect((await errorOf(await other.requestIntent(product, { at: expiresAt - 1 })))[1]).toBe('sold_out')
  expect((await buyer.order(intent, expiresAt - 1)).status).toBe('pending')
  expect((await buyer.order(intent, expiresAt)).status).toBe('expired')
  // An open intent can still be paid, so the message must not say that nothing was charged.
  expect((await buyer.order(intent, expiresAt)).message).toBe(null)
  await other.buy(product, { at: expiresAt })
  // After responding to the other buyer, the worker canceled the expired order’s intent.
  expect(await buyer.order(intent, expiresAt)).toMatchObject({
    status: 'expired',
    message: 'It was not paid in time, and nothing has been charged.',
  })
  expect(await errorOf(await buyer.confirmCard(intent, 'succeeds', { at: expiresAt }))).toEqual([
    410,
    'closed',
    'This order has expired. Please start again.',
  ])
  expect((await errorOf(await buyer.requestIntent(product, { at: expiresAt })))[1]).toBe('sold_out')
})

test('creates a new order after expiry', async () => {
  const product = await addProduct(1)
  const buyer = newBuyer()
  const { orderId, clientSecret } = await buyer.buy(product)
  const at = NOON + 20 * MINUTE_MS
  const next = await buyer.buy(product, { orderId, clientSecret, at })
  expect(next.orderId).not.toBe(orderId)
  await buyer.pay(next, 'succeeds', { at })
  expect(await buyer.order(next, at)).toMatchObject({ status: 'paid' })
  expect(await stockOf(product)).toEqual({ stock: 0, held: 1 })
})

test('requires the secret to read, change or pay', async () => {
  const product = await addProduct(5)
  const [buyer, thief] = [newBuyer(), newBuyer()]
  const intent = await buyer.buy(product)
  const thiefOrder = await thief.buy(await addProduct(5))
  const invalid = [404, 'not_found', 'That order does not exist.']
  for (const clientSecret of ['', 'x', thiefOrder.clientSecret, `${intent.clientSecret}x`]) {
    const path = `/api/orders/${intent.orderId}?client_secret=${clientSecret}`
    expect(await errorOf(await send('GET', path, undefined, { at: NOON, env: DEMO_ENV }))).toEqual(invalid)
    if (clientSecret === '') continue
    expect(await errorOf(await thief.requestIntent(product, { orderId: intent.orderId, clientSecret }))).toEqual(
      invalid,
    )
    expect(await errorOf(await thief.confirmCard({ ...intent, clientSecret }))).toEqual(invalid)
  }
  expect(await errorOf(await thief.requestIntent(product, { orderId: intent.orderId }))).toEqual(invalid)
  expect(await errorOf(await send('GET', `/api/orders/${intent.orderId}`, undefined, { env: DEMO_ENV }))).toEqual(
    invalid,
  )
  expect(
    (
      await errorOf(
        await buyer.requestIntent(product, { orderId: thiefOrder.orderId, clientSecret: thiefOrder.clientSecret }),
      )
    )[0],
  ).toBe(400)
})

test('saves address and email, readable with the receipt link', async () => {
  const product = await addProduct(5)
  const buyer = newBuyer()
  const { orderId, clientSecret } = await buyer.buy(product)
  const shippingAddress = ADDRESS
  const email = 'buyer@mail.example'
  await buyer.buy(product, { orderId, clientSecret, email, shippingAddress })
  await buyer.pay({ orderId, clientSecret })
  expect(await buyer.order({ orderId, clientSecret })).toMatchObject({ email, shippingAddress })
  const [receipt, ...others] = await emailsTo(email)
  expect([receipt?.kind, others]).toEqual(['receipt', []])
  expect(receipt?.text).toContain('Paid: $20.00')
  const token = /\/orders\/(\S+)\?token=(\S+)/.exec(receipt?.text ?? '')
  expect(token?.[1]).toBe(orderId)
  const path = `/api/orders/${orderId}?client_secret=${token?.[2]}`
  expect(await getJson<Order>(path, { at: NOON, env: DEMO_ENV })).toMatchObject({ id: orderId, status: 'paid' })
})

test('requires address and email before payment', async () => {
  const product = await addProduct(5, 2000, true)
  const buyer = newBuyer()
  const intent = await buyer.buy(product)
  const { orderId, clientSecret } = intent
  const addressRequired = [409, 'address_required', 'Please enter your email and the shipping address before you pay.']
  expect(await errorOf(await buyer.confirmCard(intent))).toEqual(addressRequired)
  await buyer.buy(product, { orderId, clientSecret, shippingAddress: ADDRESS })
  expect(await errorOf(await buyer.confirmCard(intent))).toEqual(addressRequired)
  expect((await buyer.order(intent)).status).toBe('pending')
  await buyer.buy(product, { orderId, clientSecret, email: 'buyer2@mail.example' })
  expect((await buyer.pay(intent)).outcome).toBe('succeeded')
})

test('lists the supporter’s paid orders only', async () => {
  const product = await addProduct(5)
  await addNamedUser('collector')
  await addNamedUser('neighbor')
  const [firstBrowser, otherBrowser] = [
    await browserWithSession('collector', { env: DEMO_ENV, at: NOON }),
    await browserWithSession('neighbor', { env: DEMO_ENV, at: NOON }),
  ]
  const buyer = newBuyer(firstBrowser)
  const intent = await buyer.buy(product)
  const list = async (browser: typeof firstBrowser) =>
    z.array(MyOrder).parse(await (await browser.send('GET', '/api/account/orders', undefined, { at: NOON })).json())
  expect(await list(firstBrowser)).toEqual([])
  await buyer.pay(intent)
  const [order] = await list(firstBrowser)
  expect(order).toMatchObject({ id: intent.orderId, status: 'paid', amountCents: 2000 })
  expect(order?.receiptUrl).toMatch(new RegExp(`^/orders/${intent.orderId}\\?token=`))
  expect(await list(otherBrowser)).toEqual([])
  expect((await emailsTo('collector@fan.example')).map(({ kind }) => kind)).toContain('receipt')
})

test('retries after database failures without duplicate orders or charges', async () => {
  for (const moment of ['before', 'after'] as const)
    for (let trip = 1; trip <= 9; trip++) {
      const product = await addProduct(3)
      const buyer = newBuyer()
      const checkoutKey = crypto.randomUUID()
      const failOnTrip = (current: number) => {
        if (current === trip) throw new Error('Network connection lost.')
      }
      const { DB } = spyOnD1(env.DB, { [moment]: failOnTrip })
      const order = { amount: 40, productId: product, quantity: 2, checkoutKey }
      const post = (path: string, json: unknown) =>
        buyer.browser
          .send('POST', path, json, { at: NOON, env: { ...DEMO_ENV, DB } })
          .then((response) => response.arrayBuffer())
      await post('/api/create-payment-intent', order)
      const intent = await buyer.buy(product, { quantity: 2, checkoutKey })
      const retry = spyOnD1(env.DB, { [moment]: failOnTrip })
      await buyer.browser
        .send(
          'POST',
          `/api/test-payments/${intent.orderId}/confirm`,
          { clientSecret: intent.clientSecret, card: 'succeeds' },
          { at: NOON, env: { ...DEMO_ENV, DB: retry.DB } },
        )
        .then((response) => response.arrayBuffer())
      await (await buyer.confirmCard(intent)).arrayBuffer()
      expect([moment, trip, await ordersOf(product)]).toEqual([moment, trip, [{ id: intent.orderId, status: 'paid' }]])
      expect(await stockOf(product)).toEqual({ stock: 1, held: 2 })
      const charges = await env.DB.prepare(
        "SELECT count(*) AS n FROM test_intents WHERE order_id = ? AND status = 'succeeded'",
      )
        .bind(intent.orderId)
        .first()
      expect(charges).toEqual({ n: 1 })
    }
})

test('separates orders by account and continues a visitor’s order', async () => {
  const product = await addProduct(9)
  for (const name of ['ana', 'ben']) await addNamedUser(name)
  const [ana, ben] = [
    newBuyer(await browserWithSession('ana', { env: DEMO_ENV, at: NOON })),
    newBuyer(await browserWithSession('ben', { env: DEMO_ENV, at: NOON })),
  ]
  const checkoutKey = 'one-shared-browser-key'
  const visitorOrder = await newBuyer().buy(product, { checkoutKey })
  const anasOrder = await ana.buy(product, { checkoutKey, quantity: 2, email: 'ana@mail.example' })
  expect(anasOrder.orderId).toBe(visitorOrder.orderId)
  const bensOrder = await ben.buy(product, { checkoutKey })
  expect(bensOrder.orderId).not.toBe(anasOrder.orderId)
  const { orderId, clientSecret } = anasOrder
  // A page that Ana opened sends the id and secret of her order in Ben's session.
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

test('stops selling a removed product but accepts started payments', async () => {
  const product = await addProduct(5)
  const [early, late] = [newBuyer(), newBuyer()]
  const [changedOrder, paidOrder] = [await early.buy(product), await late.buy(product)]
  await env.DB.prepare('UPDATE products SET removed_at = ? WHERE id = ?').bind(NOON, product).run()
  const removedProductError = [404, 'not_found', 'That product does not exist.']
  expect(await errorOf(await newBuyer().requestIntent(product))).toEqual(removedProductError)
  const { orderId, clientSecret } = changedOrder
  expect(await errorOf(await early.requestIntent(product, { quantity: 2, orderId, clientSecret }))).toEqual(
    removedProductError,
  )
  expect((await late.pay(paidOrder)).outcome).toBe('succeeded')
  expect((await late.order(paidOrder)).status).toBe('paid')
})

const TOO_MANY = [409, 'too_many_reserved'] as const
const newKey = () => crypto.randomUUID()

test('reserves at most ten units per device', async () => {
  const [first, second] = [await addProduct(99), await addProduct(99)]
  const buyer = newBuyer()
  expect(await errorOf(await buyer.requestIntent(first, { quantity: 11, checkoutKey: newKey() }))).toEqual([
    ...TOO_MANY,
    'You can reserve at most 10 items at a time. Please order fewer.',
  ])
  const reserved = await buyer.buy(first, { quantity: 7, checkoutKey: newKey() })
  const { orderId, clientSecret } = await buyer.buy(second, { quantity: 3, checkoutKey: newKey() })
  expect(await errorOf(await buyer.requestIntent(second, { checkoutKey: newKey() }))).toEqual([
    ...TOO_MANY,
    'You already have 10 items reserved, and the limit is 10. Please pay for those first, or order fewer.',
  ])
  expect(await statusAndCodeOf(await buyer.requestIntent(second, { quantity: 4, orderId, clientSecret }))).toEqual(
    TOO_MANY,
  )
  expect(await buyer.buy(second, { quantity: 2, orderId, clientSecret })).toMatchObject({ quantity: 2 })
  // Paid and expired units no longer count. Their orders lose the account, device and network hash.
  await buyer.pay(reserved)
  await buyer.buy(second, { quantity: 8, checkoutKey: newKey() })
  await buyer.buy(second, { quantity: 10, checkoutKey: newKey(), at: NOON + 16 * MINUTE_MS })
  const identifiedOrders = `SELECT 1 FROM orders WHERE coalesce(holder, device_hash, network_hash) IS NOT NULL
    AND status NOT IN ('pending', 'failed')`
  expect((await env.DB.prepare(identifiedOrders).all()).results).toEqual([])
})

test('reserves at most forty units per account on many devices', async () => {
  const product = await addProduct(99)
  await addNamedUser('hoarder')
  const buy = async (quantity: number) => {
    const browser = await browserWithSession('hoarder', { env: DEMO_ENV, at: NOON })
    return newBuyer(browser).requestIntent(product, { quantity, checkoutKey: newKey() })
  }
  for (let n = 0; n < 4; n++) expect((await buy(10)).status).toBe(200)
  expect(await statusAndCodeOf(await buy(1))).toEqual(TOO_MANY)
})

test.each([
  ['an IPv4 /24', (n: number) => `192.0.2.${n}`, '192.0.3.1'],
  ['an IPv6 /48', (n: number) => `2001:db8:7:${n}::1`, '2001:db8:8::1'],
])('reserves at most forty units for twenty accounts of %s', async (_, addressOf, otherAddress) => {
  const product = await addProduct(99)
  const names = Array.from({ length: 20 }, (_, n) => `racer-${addressOf(0).length}-${n}`)
  await Promise.all(names.map((name) => addNamedUser(name)))
  const buyers = await Promise.all(
    names.map(async (name, n) =>
      newBuyer(await browserWithSession(name, { env: DEMO_ENV, at: NOON, address: addressOf(n) })),
    ),
  )
  const responses = await Promise.all(
    buyers.map((buyer) => buyer.requestIntent(product, { quantity: 5, checkoutKey: newKey() })),
  )
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(8)
  expect(await stockOf(product)).toEqual({ stock: 59, held: 40 })
  const rejected = responses.find(({ status }) => status !== 200)!
  expect(await errorOf(rejected)).toEqual([
    ...TOO_MANY,
    'Too many items are already reserved from your network. Please try again in 15 minutes, or from another network.',
  ])
  const other = newBuyer(newBrowser({ address: otherAddress, env: DEMO_ENV }))
  expect((await other.requestIntent(product, { quantity: 5 })).status).toBe(200)
})

test('moving orders to other devices and networks resets no limit', async () => {
  const product = await addProduct(99)
  const device = newBuyer(newBrowser({ address: '100.64.7.50', env: DEMO_ENV }))
  const other = newBuyer(newBrowser({ address: '100.64.8.50', env: DEMO_ENV }))
  const { orderId, clientSecret } = await device.buy(product, { quantity: 10, checkoutKey: newKey() })
  await addNamedUser('mover')
  const account = newBuyer(await browserWithSession('mover', { env: DEMO_ENV, at: NOON, address: '100.64.8.51' }))
  for (const buyer of [other, account])
    await buyer.buy(product, { quantity: 10, orderId, clientSecret, email: 'mover@fan.example' })
  const again = await device.requestIntent(product, { checkoutKey: newKey() })
  expect(await statusAndCodeOf(again)).toEqual(TOO_MANY)
  // Additional units count against the other device.
  await other.buy(product, { quantity: 9, orderId, clientSecret })
  await other.buy(product, { quantity: 10, orderId, clientSecret })
  expect((await device.requestIntent(product, { checkoutKey: newKey() })).status).toBe(200)
})
