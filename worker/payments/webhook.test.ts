import { env } from 'cloudflare:test'
import { beforeAll, expect, test, vi } from 'vitest'
import { MINUTE_MS, SECOND_MS } from '../lib/clock'
import { errorOf, statusAndCodeOf } from '../testing/client'
import {
  addOrder,
  addProduct,
  paymentEvents,
  postWebhook,
  STRIPE_ENV,
  sendEvent,
  setQuantity,
  signPayload,
  stripeEvent,
} from '../testing/payments'
import { NOON, seedSite } from '../testing/seed'
import { spyOnD1 } from '../testing/stores'

beforeAll(() => seedSite(env.DB))

let orderCount = 0
/** A pending order that reserves one of ten units, at $20, and its payment's events. */
async function newOrder() {
  orderCount += 1
  const id = `ord_${orderCount}`
  const intentId = `pi_${orderCount}`
  const productId = await addProduct(10)
  await addOrder({
    id,
    productId,
    status: 'pending',
    held: 1,
    reservedUntil: NOON + 15 * MINUTE_MS,
    provider: 'stripe',
    paymentIntentId: intentId,
    intentOpen: true,
    intentRevision: 1,
    email: `${id}@mail.example`.replace('_', ''),
  })
  const read = () =>
    env.DB.prepare(
      'SELECT status, held, stock FROM orders JOIN products ON products.id = orders.product_id WHERE orders.id = ?',
    )
      .bind(id)
      .first()
  return { id, read, events: paymentEvents({ orderId: id, intentId, amountCents: 2000 }) }
}
const pending = { status: 'pending', held: 1, stock: 9 }
const paid = { status: 'paid', held: 1, stock: 9 }
const readEvent = (id: string) =>
  env.DB.prepare('SELECT state, reason FROM payment_events WHERE id = ?')
    .bind(id)
    .first<{ state: string; reason: string }>()

test('rejects missing, wrong and old signatures', async () => {
  const order = await newOrder()
  const payload = JSON.stringify(order.events.succeeded())
  const validSignature = await signPayload(payload)
  const [t, v1] = validSignature.split(',')
  const wrong = await signPayload(payload, { secret: 'whsec_of_another_account' })
  for (const [signature, sent] of [
    [null, payload],
    ['', payload],
    ['t=,v1=', payload],
    [wrong, payload],
    [validSignature, payload.replace('"usd"', '"usx"')],
    [validSignature, ''],
    [`${t},v0=${v1?.slice(3)}`, payload],
    [`t=${NOON / SECOND_MS + 1},${v1}`, payload],
    [await signPayload(payload, { at: NOON - 5 * MINUTE_MS - SECOND_MS }), payload],
    [await signPayload(payload, { at: NOON + 5 * MINUTE_MS + SECOND_MS }), payload],
    [await signPayload(payload, { at: NOON + 60 * MINUTE_MS }), payload],
  ] as [string | null, string][])
    expect([signature, ...(await errorOf(await postWebhook({ payload: sent, signature })))]).toEqual([
      signature,
      400,
      'bad_input',
      'That is not signed by the payment provider.',
    ])
  expect((await postWebhook({ payload: 'x'.repeat(1_000_000), signature: validSignature })).status).toBe(413)
  expect(await order.read()).toEqual(pending)
})

const intent = { id: 'pi_1', metadata: {}, amount_received: 1, currency: 'usd' }
test.each<unknown>([
  {},
  [],
  null,
  1,
  'text',
  { ...stripeEvent('payout.paid', {}), id: null },
  { ...stripeEvent('payout.paid', {}), type: 7 },
  { ...stripeEvent('payout.paid', {}), created: '1' },
  { ...stripeEvent('payout.paid', {}), livemode: null },
  { ...stripeEvent('payout.paid', {}), data: null },
  stripeEvent('payment_intent.succeeded', null as never),
  stripeEvent('payment_intent.succeeded', { ...intent, id: null }),
  stripeEvent('payment_intent.succeeded', { ...intent, metadata: null }),
  stripeEvent('payment_intent.succeeded', { ...intent, metadata: { order_id: 7 } }),
  stripeEvent('payment_intent.succeeded', { ...intent, amount_received: '1' }),
  stripeEvent('payment_intent.succeeded', { ...intent, amount_received: -1.5 }),
  stripeEvent('payment_intent.succeeded', { ...intent, currency: {} }),
  stripeEvent('payment_intent.canceled', { metadata: {} }),
  stripeEvent('charge.refunded', { payment_intent: {}, metadata: {}, amount_refunded: 1 }),
  stripeEvent('charge.refunded', { payment_intent: 'pi_1', metadata: {}, amount_refunded: null }),
  stripeEvent('refund.failed', { payment_intent: 7 }),
  stripeEvent('charge.dispute.created', { payment_intent: 'pi_1', amount: 1, status: null }),
  stripeEvent('customer.subscription.updated', { id: null }),
  stripeEvent('invoice.paid', { parent: 'x' }),
])('answers 400 to the malformed signed event %j', async (event) => {
  const payload = JSON.stringify(event)
  const response = await postWebhook({ payload, signature: await signPayload(payload) })
  expect(await statusAndCodeOf(response)).toEqual([400, 'bad_input'])
})

test('accepts signatures within five minutes and during secret rotation', async () => {
  for (const at of [NOON - 5 * MINUTE_MS, NOON + 5 * MINUTE_MS]) {
    const order = await newOrder()
    const payload = JSON.stringify(order.events.succeeded())
    const [t, v1] = (await signPayload(payload, { at })).split(',')
    expect((await postWebhook({ payload, signature: `${t},v1=${'0'.repeat(64)},${v1}` })).status).toBe(200)
    expect(await order.read()).toEqual(paid)
  }
})

test('rejects webhooks while payments are not configured', async () => {
  const payload = JSON.stringify((await newOrder()).events.succeeded())
  const empty = { STRIPE_SECRET_KEY: '', STRIPE_PUBLISHABLE_KEY: '', STRIPE_WEBHOOK_SECRET: '' }
  const response = await postWebhook({ payload, signature: await signPayload(payload), env: empty })
  expect(await statusAndCodeOf(response)).toEqual([400, 'bad_input'])
})

test('applies a hundred concurrent deliveries once', async () => {
  const order = await newOrder()
  const event = order.events.succeeded()
  const responses = await Promise.all(Array.from({ length: 100 }, () => sendEvent(event)))
  expect(responses.map(({ status }) => status)).toEqual(Array(100).fill(200))
  expect(await order.read()).toEqual(paid)
  const receipts = await env.DB.prepare('SELECT count(*) AS n FROM outbox WHERE dedupe_key = ?')
    .bind(`receipt:${order.id}`)
    .first()
  expect(receipts).toEqual({ n: 1 })
})

/** Whether these statements of a batch apply a payment event. */
const appliesEvent = (sql: readonly string[]) => sql.some((text) => text.includes('INSERT INTO payment_events'))

test('writes payment and receipt atomically', async () => {
  for (const [failsAt, state, receipts] of [
    ['after', paid, 1],
    ['before', pending, 0],
  ] as const) {
    const order = await newOrder()
    // The worker stops right before or after the batch that applies the event.
    let hasApplied = false
    const { DB } = spyOnD1(env.DB, {
      before: (_, sql) => {
        if (hasApplied || (appliesEvent(sql) && failsAt === 'before')) throw new Error('gone')
        hasApplied = appliesEvent(sql)
      },
    })
    vi.spyOn(console, 'error').mockReturnValue()
    await sendEvent(order.events.succeeded(), { env: { ...STRIPE_ENV, DB } })
    vi.restoreAllMocks()
    expect(await order.read()).toEqual(state)
    const receipt = env.DB.prepare('SELECT count(*) AS n FROM outbox WHERE dedupe_key = ?').bind(`receipt:${order.id}`)
    expect(await receipt.first()).toEqual({ n: receipts })
  }
})

test('parks events that match no order', async () => {
  const error = vi.spyOn(console, 'error').mockReturnValue()
  const order = await newOrder()
  const { succeeded } = order.events
  const otherOrder = await newOrder()
  await env.DB.prepare("UPDATE orders SET provider = 'test' WHERE id = ?").bind(otherOrder.id).run()
  for (const [event, reason] of [
    [
      paymentEvents({ orderId: 'ord_none', intentId: 'pi_none', amountCents: 2000 }).succeeded(),
      'No order of ours has this payment.',
    ],
    [
      paymentEvents({ orderId: order.id, intentId: 'pi_other', amountCents: 2000 }).succeeded(),
      'The event names an order that has another payment.',
    ],
    [succeeded({}, { amount_received: 1999 }), 'The amount is not the order’s.'],
    [succeeded({}, { amount_received: 200000 }), 'The amount is not the order’s.'],
    [succeeded({}, { currency: 'jpy' }), 'It was paid in another currency.'],
    [succeeded({ livemode: false }), 'A test event among live payments.'],
    [otherOrder.events.succeeded(), 'The event names an order of another provider.'],
  ] as const) {
    expect((await sendEvent(event)).status).toBe(200)
    expect(await readEvent(event.id)).toEqual({ state: 'parked', reason })
    expect(await order.read()).toEqual(pending)
    expect(await otherOrder.read()).toEqual(pending)
  }
  // The log entry has no personal data.
  for (const line of error.mock.calls.flat())
    expect(Object.keys(JSON.parse(String(line)))).toEqual(['at', 'type', 'reason'])
})

test('ignores events that name no order', async () => {
  const renewal = { id: 'pi_renewal', currency: 'usd', metadata: {} }
  for (const event of [
    stripeEvent('payment_intent.succeeded', { ...renewal, amount_received: 900 }),
    stripeEvent('payment_intent.payment_failed', renewal),
    stripeEvent('charge.refunded', { id: 'ch_1', payment_intent: 'pi_renewal', metadata: {}, amount_refunded: 900 }),
  ]) {
    expect((await sendEvent(event)).status).toBe(200)
    expect(await readEvent(event.id)).toEqual({ state: 'ignored', reason: null })
  }
})

test('limits the webhook body size', async () => {
  const order = await newOrder()
  const event = order.events.succeeded({}, { description: 'x'.repeat(40 * 1024) })
  expect((await sendEvent(event)).status).toBe(200)
  expect(await order.read()).toEqual(paid)
  const oversized = (await newOrder()).events.succeeded({}, { description: 'x'.repeat(1024 * 1024) })
  expect((await sendEvent(oversized)).status).toBe(413)
})

test('records events of unused types as ignored', async () => {
  const event = stripeEvent('payout.paid', { id: 'po_1' })
  expect((await sendEvent(event)).status).toBe(200)
  expect(await readEvent(event.id)).toEqual({ state: 'ignored', reason: null })
})

test('finds an order by the payment’s metadata', async () => {
  const order = await newOrder()
  await env.DB.prepare('UPDATE orders SET payment_intent_id = NULL, intent_revision = 0 WHERE id = ?')
    .bind(order.id)
    .run()
  expect((await sendEvent(order.events.succeeded())).status).toBe(200)
  expect(await order.read()).toEqual(paid)
})

test('asks for a retry while the amount is being changed', async () => {
  const order = await newOrder()
  await setQuantity(env.DB, order.id, 2)
  const event = order.events.succeeded()
  expect(await statusAndCodeOf(await sendEvent(event))).toEqual([503, 'unavailable'])
  expect(await readEvent(event.id)).toBe(null)
  await setQuantity(env.DB, order.id, 1)
  await env.DB.prepare('UPDATE orders SET intent_revision = 2 WHERE id = ?').bind(order.id).run()
  expect((await sendEvent(event)).status).toBe(200)
  expect(await order.read()).toEqual(paid)
})

test('answers 503 if the amount changes between read and write', async () => {
  const order = await newOrder()
  const event = order.events.succeeded()
  const { DB } = spyOnD1(env.DB, {
    before: async (_, sql) => {
      // Another tab changes the quantity right before the event's batch.
      if (appliesEvent(sql)) await setQuantity(env.DB, order.id, 2)
    },
  })
  expect(await statusAndCodeOf(await sendEvent(event, { env: { ...STRIPE_ENV, DB } }))).toEqual([503, 'unavailable'])
  expect([await readEvent(event.id), await order.read()]).toEqual([null, { status: 'pending', held: 2, stock: 8 }])
})

test('applies an event once despite database failures', async () => {
  vi.spyOn(console, 'error').mockReturnValue()
  for (const moment of ['before', 'after'] as const)
    for (let roundTrip = 1; ; roundTrip++) {
      const order = await newOrder()
      const event = order.events.succeeded()
      const { DB } = spyOnD1(env.DB, {
        [moment]: (current: number) => {
          if (current === roundTrip) throw new Error('Network connection lost.')
        },
      })
      const { status } = await sendEvent(event, { env: { ...STRIPE_ENV, DB } })
      // At least four round trips precede the response. Errors after it do not fail it, so nothing is retried.
      if (status === 200 && roundTrip > 4) break
      expect([moment, roundTrip, status]).toEqual([moment, roundTrip, 500])
      expect((await sendEvent(event)).status).toBe(200)
      expect(await order.read()).toEqual(paid)
      const receipts = await env.DB.prepare('SELECT count(*) AS n FROM outbox WHERE dedupe_key = ?')
        .bind(`receipt:${order.id}`)
        .first()
      expect([moment, roundTrip, receipts]).toEqual([moment, roundTrip, { n: 1 }])
    }
})
