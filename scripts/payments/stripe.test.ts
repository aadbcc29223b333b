import { chromium } from '@playwright/test'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { STRIPE_STUB_SCRIPT } from '../../web/e2e/stripe-stub'
import type { StripeFault } from '../fakes/stripe'
import { countByStatus, inParallel } from '../races/test-server'
import { CHROMIUM_ARGS, findBrowser } from '../tools/browser'
import { type Shop, startTestShop } from './test-shop'

// These tests run the built worker with the real SDK against a fake Stripe server.

let shop: Shop
beforeAll(async () => {
  shop = await startTestShop()
}, 120_000)
afterAll(() => shop.close())
beforeEach(() => {
  shop.stripe.calls.length = 0
  shop.stripe.faults.length = 0
  shop.skipEvents()
})

const intentsOf = (orderId: string) =>
  [...shop.stripe.intents.values()].filter(({ metadata }) => metadata.order_id === orderId)
const chargesOf = (orderId: string) =>
  [...shop.stripe.charges.values()].filter(({ metadata }) => metadata.order_id === orderId)
/** Calls with the idempotency key `order:<id>:<name>`, with or without an appended hash of the parameters. */
const callsWithKey = (orderId: string, name: string) =>
  shop.stripe.calls.filter(({ key }) => `${key}:`.startsWith(`order:${orderId}:${name}:`))
/** The fields by which a purchase changes an existing order. */
const credentialsOf = ({ orderId, clientSecret }: { orderId: string; clientSecret: string }) => ({
  orderId,
  clientSecret,
})

test('buys through Stripe with one intent', async () => {
  const product = await shop.addProduct(3)
  const { body: intent } = await shop.buy(product, { quantity: 2 })
  expect(intentsOf(intent.orderId)).toMatchObject([
    { amount: 4000, currency: 'usd', client_secret: intent.clientSecret },
  ])
  expect(callsWithKey(intent.orderId, 'v1')).toHaveLength(1)
  expect((await shop.readOrder(intent)).status).toBe('pending')
  shop.stripe.confirm(intent.clientSecret, 'good')
  expect((await shop.readOrder(intent)).status).toBe('pending')
  expect(await shop.deliverNewEvents()).toEqual([200, 200])
  expect((await shop.readOrder(intent)).status).toBe('paid')
  expect([await shop.stockOf(product), chargesOf(intent.orderId).length]).toEqual([1, 1])
})

test('charges once after a decline and a 3-D Secure challenge', async () => {
  const { body: intent } = await shop.buy(await shop.addProduct(1))
  shop.stripe.confirm(intent.clientSecret, 'declined')
  await shop.deliverNewEvents()
  expect((await shop.readOrder(intent)).status).toBe('failed')
  shop.stripe.confirm(intent.clientSecret, 'challenge')
  await shop.deliverNewEvents()
  expect((await shop.readOrder(intent)).status).toBe('failed')
  shop.stripe.confirm(intent.clientSecret, 'challenge')
  await shop.deliverNewEvents()
  expect((await shop.readOrder(intent)).status).toBe('paid')
  expect(chargesOf(intent.orderId)).toHaveLength(1)
})

test.each<[string, StripeFault[]]>([
  ['fails twice with 500', [500, 500]],
  ['drops the request', ['drop-request']],
  ['loses its response', ['drop-response', 'drop-response']],
  ['never responds', ['hang']],
])('retries with the same key when Stripe %s', async (_, faults) => {
  const product = await shop.addProduct(1)
  shop.stripe.faults.push(...faults)
  const { status, body: intent } = await shop.buy(product)
  expect(status).toBe(200)
  expect(intentsOf(intent.orderId)).toHaveLength(1)
  expect(callsWithKey(intent.orderId, 'v1')).toHaveLength(faults.length + 1)
  expect(new Set(shop.stripe.calls.map(({ key }) => key)).size).toBe(1)
})

test.each<[string, StripeFault[], number]>([
  ['always fails', [500, 503, 500], 0],
  ['responds with 429', [429], 0],
  ['loses every response', ['drop-response', 'drop-response', 'drop-response'], 1],
])('reports an error and keeps the order when Stripe %s', async (_, faults, intentCount) => {
  const product = await shop.addProduct(1)
  const checkoutKey = crypto.randomUUID()
  shop.stripe.faults.push(...faults)
  const first = await shop.buy(product, { checkoutKey })
  expect([first.status, first.code, first.body]).toEqual([
    503,
    'unavailable',
    'The payment service did not answer. Nothing was charged. Please try again.',
  ])
  const [order] = await shop.rows<{ id: string }>('SELECT id FROM orders WHERE product_id = ?1', product)
  expect(intentsOf(order!.id)).toHaveLength(intentCount)
  const { status, body: intent } = await shop.buy(product, { checkoutKey })
  expect([status, intent.orderId, intentsOf(order!.id).length]).toEqual([200, order!.id, 1])
  shop.stripe.confirm(intent.clientSecret, 'good')
  await shop.deliverNewEvents()
  expect([(await shop.readOrder(intent)).status, chargesOf(order!.id).length]).toEqual(['paid', 1])
})

test('charges the final amount after lost responses and full discount', async () => {
  const product = await shop.addProduct(5)
  const discountCode = 'ALLFREE'
  await shop.run(
    `INSERT INTO discounts (id, code, kind, percent, created_at) VALUES (?1, ?1, 'percent', 100, 0)`,
    discountCode,
  )
  const checkoutKey = crypto.randomUUID()
  shop.stripe.faults.push('drop-response', 'drop-response', 'drop-response')
  expect((await shop.buy(product, { checkoutKey })).status).toBe(503)
  const { body: free } = await shop.buy(product, { checkoutKey, discountCode })
  expect(free).toMatchObject({ amountCents: 0, clientSecret: null })
  const { status, body: intent } = await shop.buy(product, { checkoutKey, discountCode: '', quantity: 2 })
  expect([status, intent.orderId, intent.amountCents]).toEqual([200, free.orderId, 4000])
  shop.stripe.confirm(intent.clientSecret, 'good')
  await shop.deliverNewEvents()
  expect(await shop.readOrder(intent)).toMatchObject({ status: 'paid', amountCents: 4000 })
  expect(chargesOf(intent.orderId)).toMatchObject([{ amount: 4000 }])
})

test('creates one order for ten concurrent clicks', async () => {
  const product = await shop.addProduct(5)
  const checkoutKey = crypto.randomUUID()
  const responses = await inParallel(10, () => shop.buy(product, { checkoutKey }))
  expect(countByStatus(responses)).toEqual({ 200: 10 })
  expect(new Set(responses.map(({ body }) => `${body.orderId} ${body.clientSecret}`)).size).toBe(1)
  expect(await shop.rows('SELECT id FROM orders WHERE product_id = ?1', product)).toHaveLength(1)
  expect(intentsOf(responses[0]!.body.orderId)).toHaveLength(1)
  expect(await shop.stockOf(product)).toBe(4)
})

test('sells the last unit to one of twenty buyers', async () => {
  const product = await shop.addProduct(1)
  const responses = await inParallel(20, () => shop.buy(product))
  expect(countByStatus(responses)).toEqual({ 200: 1, 409: 19 })
  expect(new Set(responses.filter(({ status }) => status === 409).map(({ code }) => code))).toEqual(
    new Set(['sold_out']),
  )
  expect(await shop.rows('SELECT stock FROM products WHERE id = ?1', product)).toEqual([{ stock: 0 }])
  expect(await shop.rows('SELECT held FROM orders WHERE product_id = ?1', product)).toEqual([{ held: 1 }])
})

test('changes the quantity of the same intent', async () => {
  const product = await shop.addProduct(5)
  const { body: intent } = await shop.buy(product)
  const { orderId, clientSecret } = intent
  shop.stripe.faults.push('drop-response', 'drop-response', 'drop-response')
  expect((await shop.buy(product, { quantity: 3, orderId, clientSecret })).status).toBe(503)
  expect((await shop.buy(product, { quantity: 3, orderId, clientSecret })).body).toMatchObject({
    orderId,
    amountCents: 6000,
  })
  expect(intentsOf(orderId)).toMatchObject([{ amount: 6000 }])
  expect(new Set(callsWithKey(orderId, 'v2').map(({ key }) => key)).size).toBe(1)
  expect(await shop.stockOf(product)).toBe(2)
  shop.stripe.confirm(clientSecret, 'good')
  await shop.deliverNewEvents()
  expect(await shop.readOrder(intent)).toMatchObject({ status: 'paid', amountCents: 6000, quantity: 3 })
})

test('rejects changes between a payment and its webhook', async () => {
  const product = await shop.addProduct(5)
  const { body: intent } = await shop.buy(product)
  shop.stripe.confirm(intent.clientSecret, 'good')
  const late = await shop.buy(product, { quantity: 4, ...credentialsOf(intent) })
  expect([late.status, late.code, late.body]).toEqual([409, 'payment_under_way', 'This payment is already under way.'])
  await shop.deliverNewEvents()
  expect(await shop.readOrder(intent)).toMatchObject({ status: 'paid', amountCents: 2000, quantity: 1 })
  expect(await shop.stockOf(product)).toBe(4)
})

test('expires orders and cancels their intents', async () => {
  const product = await shop.addProduct(2)
  const { body: firstIntent } = await shop.buy(product)
  shop.stripe.faults.push('drop-response', 'drop-response', 'drop-response')
  await shop.buy(product, { checkoutKey: crypto.randomUUID() })
  expect(await shop.stockOf(product)).toBe(0)
  await shop.run('UPDATE orders SET reserved_until = 1 WHERE product_id = ?1', product)
  await shop.runFiveMinuteJobs()
  const rows = await shop.rows<{ id: string }>(
    'SELECT id, status, intent_open FROM orders WHERE product_id = ?1',
    product,
  )
  expect(rows).toMatchObject([
    { status: 'expired', intent_open: 0 },
    { status: 'expired', intent_open: 0 },
  ])
  expect(rows.flatMap(({ id }) => intentsOf(id).map(({ status }) => status))).toEqual(['canceled', 'canceled'])
  expect(await shop.stockOf(product)).toBe(2)
  expect(await shop.deliverNewEvents()).toEqual(Array(4).fill(200))
  expect((await shop.readOrder(firstIntent)).status).toBe('expired')
})

test('refunds a late payment once', async () => {
  const product = await shop.addProduct(1)
  const { body: intent } = await shop.buy(product)
  await shop.run(`UPDATE orders SET status = 'expired', held = 0, reserved_until = 1 WHERE id = ?1`, intent.orderId)
  shop.stripe.confirm(intent.clientSecret, 'good')
  shop.stripe.faults.push(500, 500, 500)
  await shop.deliverNewEvents()
  expect(chargesOf(intent.orderId)).toMatchObject([{ amount_refunded: 0 }])
  expect(await shop.readOrder(intent)).toMatchObject({
    status: 'expired',
    message: 'Your payment came too late: your order was no longer reserved. It is being refunded in full.',
  })
  shop.stripe.faults.push('drop-response')
  await shop.runFiveMinuteJobs()
  expect(chargesOf(intent.orderId)).toMatchObject([{ amount_refunded: 0 }])
  const retryDueAt = new Date(Date.now() + 5 * 60_000)
  await shop.runFiveMinuteJobs(retryDueAt)
  await shop.runFiveMinuteJobs(retryDueAt)
  expect(chargesOf(intent.orderId)).toMatchObject([{ amount_refunded: 2000 }])
  // The retry uses a new key, because Stripe may have stored a failure under the first one.
  expect(callsWithKey(intent.orderId, 'refund:v2').filter(({ status }) => status === 200)).toHaveLength(1)
  await shop.deliverNewEvents()
  expect(await shop.readOrder(intent)).toMatchObject({
    status: 'refunded',
    message: 'Your payment came too late: your order was no longer reserved. It has been refunded in full.',
  })
  expect(await shop.stockOf(product)).toBe(1)
})

test('settles a payment made in time without its webhook', async () => {
  const product = await shop.addProduct(1)
  const { body: intent } = await shop.buy(product, { email: 'found@mail.example' })
  shop.stripe.confirm(intent.clientSecret, 'good')
  shop.skipEvents()
  await shop.run('UPDATE orders SET reserved_until = ?2 WHERE id = ?1', intent.orderId, Date.now())
  await shop.runFiveMinuteJobs()
  expect([(await shop.readOrder(intent)).status, await shop.stockOf(product)]).toEqual(['paid', 0])
  expect(await shop.rows(`SELECT kind FROM outbox WHERE recipient = 'found@mail.example'`)).toEqual([
    { kind: 'receipt' },
  ])
  expect(await shop.rows('SELECT intent_open FROM orders WHERE id = ?1', intent.orderId)).toEqual([{ intent_open: 0 }])
})

test('refunds a late payment without its webhook', async () => {
  const product = await shop.addProduct(1)
  const { body: intent } = await shop.buy(product)
  await shop.run('UPDATE orders SET reserved_until = 1 WHERE id = ?1', intent.orderId)
  shop.stripe.confirm(intent.clientSecret, 'good')
  shop.skipEvents()
  await shop.runFiveMinuteJobs()
  expect(chargesOf(intent.orderId)).toMatchObject([{ amount_refunded: 2000 }])
  expect((await shop.readOrder(intent)).message).toContain('came too late')
  expect(await shop.stockOf(product)).toBe(1)
})

test('refunds a payment of an outdated amount', async () => {
  const product = await shop.addProduct(5)
  const { body: intent } = await shop.buy(product)
  shop.stripe.faults.push(500, 500, 500)
  expect((await shop.buy(product, { quantity: 3, ...credentialsOf(intent) })).status).toBe(503)
  shop.stripe.confirm(intent.clientSecret, 'good')
  expect(await shop.deliverNewEvents()).toEqual([200, 503])
  await shop.run('UPDATE orders SET reserved_until = 1 WHERE id = ?1', intent.orderId)
  await shop.runFiveMinuteJobs()
  expect(chargesOf(intent.orderId)).toMatchObject([{ amount_refunded: 2000 }])
  expect((await shop.readOrder(intent)).message).toContain('you paid was not the final total')
  expect(await shop.stockOf(product)).toBe(5)
  expect(await shop.deliverNewEvents()).toEqual([200])
  expect((await shop.readOrder(intent)).status).toBe('refunded')
})

test('applies an event delivered a hundred times concurrently once', async () => {
  const product = await shop.addProduct(1)
  const { body: intent } = await shop.buy(product, { email: 'hundred@mail.example' })
  shop.stripe.confirm(intent.clientSecret, 'good')
  const event = shop.stripe.events.at(-1)!
  expect(new Set(await inParallel(100, () => shop.deliver(event)))).toEqual(new Set([200]))
  expect([(await shop.readOrder(intent)).status, await shop.stockOf(product)]).toEqual(['paid', 0])
  expect(await shop.rows(`SELECT kind FROM outbox WHERE recipient = 'hundred@mail.example'`)).toEqual([
    { kind: 'receipt' },
  ])
  expect(await shop.rows('SELECT state FROM payment_events WHERE id = ?1', event.id)).toEqual([{ state: 'applied' }])
})

test('settles an order whose events arrive reversed and twice', async () => {
  const product = await shop.addProduct(1)
  const { body: intent } = await shop.buy(product)
  const before = shop.stripe.events.length
  shop.stripe.confirm(intent.clientSecret, 'declined')
  shop.stripe.confirm(intent.clientSecret, 'good')
  const events = shop.stripe.events.slice(before).reverse()
  const statuses = await Promise.all([...events, ...events].map((event) => shop.deliver(event)))
  expect(new Set(statuses)).toEqual(new Set([200]))
  expect([(await shop.readOrder(intent)).status, await shop.stockOf(product)]).toEqual(['paid', 0])
})

test('retries with a new idempotency key after a replayed 500', async () => {
  const product = await shop.addProduct(5)
  const checkoutKey = crypto.randomUUID()
  const failNextCall = () => shop.stripe.faults.push('saved 500')
  failNextCall()
  expect((await shop.buy(product, { checkoutKey })).status).toBe(503)
  const { status, body: intent } = await shop.buy(product, { checkoutKey })
  expect(status).toBe(200)
  const credentials = credentialsOf(intent)
  failNextCall()
  expect((await shop.buy(product, { quantity: 2, ...credentials })).status).toBe(503)
  expect((await shop.buy(product, { quantity: 2, ...credentials })).body).toMatchObject({ amountCents: 4000 })
  shop.stripe.confirm(intent.clientSecret, 'good')
  await shop.deliverNewEvents()
  expect((await shop.readOrder(intent)).status).toBe('paid')
  failNextCall()
  const cookie = await shop.newAdministrator()
  await shop.requestOnce('POST', `/api/admin/orders/${intent.orderId}/refund`, { reason: 'It came back' }, cookie)
  const sent = () => shop.rows('SELECT refund_sent_at IS NOT NULL AS sent FROM orders WHERE id = ?1', intent.orderId)
  expect(await sent()).toEqual([{ sent: 0 }])
  await shop.runFiveMinuteJobs(new Date(Date.now() + 5 * 60_000))
  expect(await sent()).toEqual([{ sent: 1 }])
  expect(chargesOf(intent.orderId)).toMatchObject([{ amount_refunded: 4000 }])
})

test('shows a rejected refund and allows another', async () => {
  const { body: intent } = await shop.buy(await shop.addProduct(1))
  shop.stripe.confirm(intent.clientSecret, 'good')
  await shop.deliverNewEvents()
  const [charge] = chargesOf(intent.orderId)
  shop.stripe.unrefundable.add(charge!.id)
  const cookie = await shop.newAdministrator()
  type RefundResponse = { refundRefused: boolean; refundable: boolean; status: string }
  const refund = async () =>
    (
      await shop.requestOnce<RefundResponse>(
        'POST',
        `/api/admin/orders/${intent.orderId}/refund`,
        { reason: 'Too small' },
        cookie,
      )
    ).body
  const countRejectedRefunds = async () =>
    (
      await shop.requestOnce<{ orderId: string; type: string }[]>(
        'GET',
        '/api/admin/payments/parked',
        undefined,
        cookie,
      )
    ).body.filter(({ orderId, type }) => orderId === intent.orderId && type === 'refund.refused').length
  expect(await refund()).toMatchObject({ status: 'paid', refundRefused: true, refundable: true })
  expect(await countRejectedRefunds()).toBe(1)
  await shop.runFiveMinuteJobs()
  expect(await refund()).toMatchObject({ refundRefused: true })
  shop.stripe.unrefundable.clear()
  expect(await refund()).toMatchObject({ refundRefused: false, refundable: false })
  expect(
    shop.stripe.calls
      .filter(({ path, body }) => path === '/v1/refunds' && body.includes(charge!.payment_intent))
      .map(({ key, status }) => [key, status]),
  ).toEqual([
    [`order:${intent.orderId}:refund`, 400],
    [`order:${intent.orderId}:refund:v2`, 400],
    [`order:${intent.orderId}:refund:v3`, 200],
  ])
  await shop.deliverNewEvents()
  expect([(await shop.readOrder(intent)).status, await countRejectedRefunds()]).toEqual(['refunded', 0])
})

// Opens the built site in a browser, with a stub of Stripe.js.
test('buys with a second card after a decline', async () => {
  const product = await shop.addProduct(3)
  const args = [...CHROMIUM_ARGS, '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1']
  const browser = await chromium.launch({ executablePath: await findBrowser(), args })
  onTestFinished(() => browser.close())
  const chargesBefore = shop.stripe.charges.size
  const page = await browser.newPage({ viewport: { width: 390, height: 844 } })
  const consoleErrors: string[] = []
  page.on('console', (message) => message.type() === 'error' && consoleErrors.push(message.text()))
  await page.route('https://js.stripe.com/**', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: STRIPE_STUB_SCRIPT }),
  )
  const cards = ['declined', 'good'] as const
  const webhookStatuses: number[][] = []
  let attempts = 0
  await page.exposeFunction('stripeCharge', async (secret: string) => {
    const { status } = shop.stripe.confirm(secret, cards[attempts++] ?? 'good')
    webhookStatuses.push(await shop.deliverNewEvents())
    return status === 'succeeded' ? 'success' : 'Your card has insufficient funds.'
  })
  await page.goto(`${shop.base.origin}/checkout?product=${product}&quantity=2`)
  for (const [label, value] of [
    ['Email', 'browser@mail.example'],
    ['Full name', 'Alex Harbor'],
    ['Street address', '1 Bay Street'],
    ['City', 'Tampa'],
    ['State', 'FL'],
    ['ZIP code', '33602'],
  ] as const)
    await page.getByLabel(label).fill(value)
  const pay = page.getByRole('button', { name: 'Pay $40.00' })
  await pay.click()
  await page.getByText('Payment Failed').first().waitFor()
  expect(await shop.stockOf(product)).toBe(3)
  await pay.click()
  await page.getByRole('heading', { name: 'Purchase Successful' }).waitFor()
  const receipt = page.getByRole('article', { name: 'Receipt' })
  expect(await receipt.innerText()).toMatch(/\$40\.00[\s\S]*Alex Harbor|Alex Harbor[\s\S]*\$40\.00/)
  expect(webhookStatuses.flat().every((status) => status === 200)).toBe(true)
  expect([attempts, shop.stripe.charges.size - chargesBefore, await shop.stockOf(product)]).toEqual([2, 1, 1])
  expect(await shop.rows('SELECT status, is_test FROM orders WHERE product_id = ?1', product)).toEqual([
    { status: 'paid', is_test: 1 },
  ])
  expect(await shop.rows(`SELECT kind FROM outbox WHERE recipient = 'browser@mail.example'`)).toEqual([
    { kind: 'receipt' },
  ])
  // A CSP violation would be a console error. The product has no image, hence the 404s.
  expect(consoleErrors.filter((text) => !text.includes('404 (Not Found)'))).toEqual([])
}, 90_000)
