import { env } from 'cloudflare:test'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../lib/clock'
import { ledger } from '../points/points.table'
import { emailsTo } from '../testing/emails'
import { db } from '../testing/fixtures'
import {
  addStripeOrder,
  PAID_OUTCOME,
  RESERVED_UNTIL,
  type StripeEvent,
  sendEvent,
  setUpPayments,
  stubFailingProvider,
} from '../testing/payments'
import { NOON } from '../testing/seed'
import { EXPIRE_DUE } from './expiry'

beforeAll(setUpPayments)
beforeEach(stubFailingProvider)
afterEach(() => void vi.restoreAllMocks())

/** Assigns all orders to the buyer of the first one, and returns the buyer's id. */
async function assignToBuyerOf(first: { id: string }, ...others: { id: string }[]): Promise<number> {
  const sql =
    'UPDATE orders SET user_id = (SELECT user_id FROM orders WHERE id = ?2) WHERE id = ?1 RETURNING user_id AS id'
  const rows = others.map(({ id }) => env.DB.prepare(sql).bind(id, first.id).first<{ id: number }>())
  return (await Promise.all(rows))[0]!.id
}
const reasonOf = async ({ id }: StripeEvent) =>
  (await env.DB.prepare('SELECT reason FROM payment_events WHERE id = ?').bind(id).first<{ reason: string }>())?.reason
const expireDueOrders = (at: number) => env.DB.prepare(EXPIRE_DUE).bind(at).run()
/** The changes that date an event `seconds` after NOON. */
const createdAfter = (seconds: number) => ({ created: NOON / SECOND_MS + seconds })

test('stores explanations of a bank’s inquiry and a dispute', async () => {
  const order = await addStripeOrder()
  const inquiry = order.events.disputed('warning_needs_response')
  await sendEvent(order.events.succeeded())
  await sendEvent(inquiry)
  expect(await reasonOf(inquiry)).toBe(
    'The buyer’s bank asks about this payment, and has taken nothing. Please answer it at the provider by 2026-07-11.',
  )
  const disputed = order.events.disputed()
  await sendEvent(disputed)
  expect(await reasonOf(disputed)).toBe(
    'The buyer’s bank disputes this payment, and takes back $20.00. Do not ship the order meanwhile. Please answer it at the provider by 2026-07-11.',
  )
})

test('awards and reverses points with payments, refunds and disputes', async () => {
  const { events, getOutcome } = await addStripeOrder()
  const points: number[] = []
  for (const event of [
    events.succeeded(),
    events.withdrawn(createdAfter(1)),
    events.reinstated(createdAfter(2)),
    events.withdrawn(createdAfter(3)),
    events.reinstated(createdAfter(4)),
    events.refunded(),
  ]) {
    await sendEvent(event)
    await sendEvent(event)
    points.push((await getOutcome()).points)
  }
  expect(points).toEqual([75, 0, 75, 0, 75, 0])
})

test('awards a mission again only if a refund reversed it', async () => {
  const [first, second, third] = [await addStripeOrder(), await addStripeOrder(), await addStripeOrder()]
  const userId = await assignToBuyerOf(first, second, third)
  await sendEvent(first.events.succeeded())
  await sendEvent(first.events.refunded())
  expect((await first.getOutcome()).points).toBe(0)
  await sendEvent(second.events.succeeded())
  expect((await first.getOutcome()).points).toBe(75)
  // Reverses the mission’s second award for another reason than a refund.
  const row = { userId, action: 'mission', description: '', points: -75, createdAt: NOON }
  await db.insert(ledger).values({ ...row, key: 'undo:mission:shopper#2' })
  await sendEvent(third.events.succeeded())
  expect((await first.getOutcome()).points).toBe(0)
})

test('ignores a repeated decline after a new reservation', async () => {
  const order = await addStripeOrder()
  const declined = order.events.failed()
  await sendEvent(declined)
  expect(await order.getOutcome()).toMatchObject({ status: 'failed', held: 0, stock: 1 })
  await env.DB.prepare(`UPDATE orders SET status = 'pending', held = 1 WHERE id = ?`).bind(order.id).run()
  await sendEvent(declined)
  expect(await order.getOutcome()).toMatchObject({ status: 'pending', held: 1, stock: 0 })
})

test('accepts a late webhook of a timely payment', async () => {
  const order = await addStripeOrder()
  await expireDueOrders(RESERVED_UNTIL)
  expect(await order.getOutcome()).toMatchObject({ status: 'expired', held: 0, stock: 1 })
  await sendEvent(order.events.succeeded({ created: RESERVED_UNTIL / SECOND_MS - 1 }), {
    at: RESERVED_UNTIL + MINUTE_MS,
  })
  expect(await order.getOutcome()).toEqual(PAID_OUTCOME)
})

test('refunds late payments', async () => {
  const order = await addStripeOrder()
  await expireDueOrders(RESERVED_UNTIL)
  const latePayment = order.events.succeeded({ created: RESERVED_UNTIL / SECOND_MS + 1 })
  // Nine cancellations at the provider have failed. Their next retry, in an hour, must not delay the refund.
  await env.DB.prepare('UPDATE orders SET tries = 9, retry_at = ?2 WHERE id = ?1')
    .bind(order.id, RESERVED_UNTIL + HOUR_MS)
    .run()
  await sendEvent(latePayment, { at: RESERVED_UNTIL + MINUTE_MS })
  expect(vi.mocked(fetch).mock.calls.map(([url]) => String(url))).toEqual(['https://api.stripe.com/v1/refunds'])
  expect(await order.getOutcome()).toMatchObject({ status: 'expired', reason: 'late', held: 0, stock: 1, points: 0 })
  expect((await emailsTo(order.email))[0]?.text).toContain('Your payment came too late')
  const storedRefund = await env.DB.prepare('SELECT refund_wanted_at FROM orders WHERE id = ?').bind(order.id).first()
  expect(storedRefund).toEqual({ refund_wanted_at: RESERVED_UNTIL + MINUTE_MS })
  await sendEvent(order.events.refunded(), { at: RESERVED_UNTIL + 2 * MINUTE_MS })
  await sendEvent(latePayment, { at: RESERVED_UNTIL + 2 * MINUTE_MS })
  expect(await order.getOutcome()).toMatchObject({ status: 'refunded', reason: 'late', held: 0, stock: 1 })
  expect((await emailsTo(order.email)).map(({ kind }) => kind)).toEqual(['refund'])
})

test('refunds timely payments when sold out', async () => {
  const order = await addStripeOrder()
  await expireDueOrders(RESERVED_UNTIL)
  await env.DB.prepare('UPDATE product_variants SET stock = 0 WHERE product_id = ?').bind(order.productId).run()
  await sendEvent(order.events.succeeded(), { at: RESERVED_UNTIL + MINUTE_MS })
  expect(await order.getOutcome()).toMatchObject({ status: 'expired', reason: 'sold_out', held: 0, stock: 0 })
  expect((await emailsTo(order.email))[0]?.text).toContain('your order had sold out by the time we received it')
})

test('answers 503 to an outdated amount and later refunds it', async () => {
  const order = await addStripeOrder({ stock: 3, quantity: 2, amountCents: 4000, held: 2, revision: 2 })
  const paid = order.events.succeeded()
  expect((await sendEvent(paid)).status).toBe(503)
  expect(await order.getOutcome()).toMatchObject({ status: 'pending', held: 2 })
  expect((await sendEvent(paid, { at: RESERVED_UNTIL })).status).toBe(200)
  expect(await order.getOutcome()).toMatchObject({ status: 'expired', reason: 'amount', held: 0, stock: 3 })
  expect(await reasonOf(paid)).toContain('The amount paid is not its total, and is refunded.')
  expect((await emailsTo(order.email))[0]?.text).toContain('you paid was not the final total')
  await sendEvent(order.events.refunded(), { at: RESERVED_UNTIL + MINUTE_MS })
  expect(await order.getOutcome()).toMatchObject({ status: 'refunded', reason: 'amount', held: 0, stock: 3 })
})

test('marks a failed refund, but not after an outdated failure', async () => {
  const order = await addStripeOrder()
  await sendEvent(order.events.succeeded())
  await sendEvent(order.events.refunded())
  const failed = order.events.refundFailed({ created: NOON / SECOND_MS + 60 })
  await sendEvent(failed, { at: NOON + MINUTE_MS })
  const failedAt = () =>
    env.DB.prepare('SELECT refund_refused_at AS at FROM orders WHERE id = ?').bind(order.id).first()
  expect(await failedAt()).toEqual({ at: NOON + MINUTE_MS })
  // A repeated failure event of the previous refund does not mark the order.
  await env.DB.prepare('UPDATE orders SET refund_refused_at = NULL, refund_wanted_at = ?2 WHERE id = ?1')
    .bind(order.id, NOON + 2 * MINUTE_MS)
    .run()
  await sendEvent(order.events.refundFailed({ created: NOON / SECOND_MS + 60 }), { at: NOON + 3 * MINUTE_MS })
  expect(await failedAt()).toEqual({ at: null })
})

test('a failed partial refund can be requested again', async () => {
  const order = await addStripeOrder({ stock: 2, quantity: 2, amountCents: 4000, held: 2 })
  await sendEvent(order.events.succeeded({}, { amount_received: 4000 }))
  const lineId = `${order.id}-1`
  await env.DB.batch([
    env.DB.prepare('UPDATE order_lines SET refunded_quantity = 1, refunded_cents = 2000 WHERE order_id = ?').bind(
      order.id,
    ),
    env.DB.prepare(
      `INSERT INTO order_refunds (id, order_id, amount_cents, shipping_cents, lines, requested_at, sent_at) VALUES ('part_1', ?1, 2000, 0, ?2, ?3, ?3)`,
    ).bind(order.id, JSON.stringify([{ lineId, quantity: 1, cents: 2000, restock: false }]), NOON),
  ])
  await sendEvent(order.events.refunded(2000, createdAfter(30)))
  const failed = order.events.refundFailed(createdAfter(60), { amount: 2000, metadata: { refund_id: 'part_1' } })
  for (const event of [failed, failed]) await sendEvent(event, { at: NOON + MINUTE_MS })
  // Stripe repeats an event under another id too.
  await sendEvent({ ...failed, id: 'evt_part_again' }, { at: NOON + MINUTE_MS })
  const line = await env.DB.prepare(
    'SELECT refunded_quantity AS quantity, refunded_cents AS cents FROM order_lines WHERE order_id = ?',
  )
    .bind(order.id)
    .first()
  expect(line).toEqual({ quantity: 0, cents: 0 })
  expect(await order.getRefundState()).toEqual({ refunded: 2000, requested: 0, rejected: 0 })
  const failedCents = env.DB.prepare('SELECT failed_refund_cents AS cents FROM orders WHERE id = ?').bind(order.id)
  expect(await failedCents.first('cents')).toBe(2000)
  expect(await order.getOutcome()).toMatchObject({ status: 'paid', held: 2 })
  expect(await reasonOf(failed)).toContain('A refund of $20.00 did not reach the buyer.')
})

test('a repeated refund clears the failure, in any event order', async () => {
  for (const isReversed of [false, true]) {
    const order = await addStripeOrder()
    const events = [order.events.refundFailed(createdAfter(60)), order.events.refunded(2000, createdAfter(120))]
    await sendEvent(order.events.succeeded())
    for (const event of isReversed ? events.reverse() : events) await sendEvent(event, { at: NOON + 3 * MINUTE_MS })
    const row = await env.DB.prepare('SELECT status, refund_refused_at AS failedAt FROM orders WHERE id = ?')
      .bind(order.id)
      .first()
    expect([isReversed, row]).toEqual([isReversed, { status: 'refunded', failedAt: null }])
  }
})

test('refunding a shipped order returns no stock', async () => {
  const order = await addStripeOrder()
  await sendEvent(order.events.succeeded())
  await env.DB.prepare(`UPDATE orders SET fulfilment = 'shipped' WHERE id = ?`).bind(order.id).run()
  await sendEvent(order.events.refunded())
  expect(await order.getOutcome()).toMatchObject({ status: 'refunded', held: 1, stock: 0, points: 0 })
})

test('does not reverse a mission that another order completes', async () => {
  const [first, second] = [await addStripeOrder(), await addStripeOrder()]
  await assignToBuyerOf(first, second)
  await sendEvent(first.events.succeeded())
  await sendEvent(second.events.succeeded())
  await sendEvent(first.events.refunded())
  expect((await first.getOutcome()).points).toBe(75)
  await sendEvent(second.events.refunded())
  expect((await first.getOutcome()).points).toBe(0)
})
