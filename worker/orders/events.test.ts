import { env } from 'cloudflare:test'
import fc from 'fast-check'
import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { MINUTE, SECOND } from '../lib/clock'
import { missions } from '../points/missions.table'
import { ledger } from '../points/points.table'
import { stockOf } from '../testing/buyers'
import { furnish, NOON } from '../testing/furnish'
import { mailsTo } from '../testing/mails'
import { type Event, paymentEvents, tell } from '../testing/provider-events'
import { db } from '../testing/rows'
import { newOrder, UNTIL } from '../testing/stripe-orders'
import { EXPIRE_DUE } from './expiry'

beforeAll(async () => {
  await furnish(env.DB)
  await db.insert(missions).values({
    ...{ id: 'shopper', title: 'First purchase', description: '', points: 75 },
    ...{ action: 'merch_purchase', target: 1, position: 1 },
  })
})
// Late successes ask Stripe for a refund, which is not here: what was wanted is what is looked at.
beforeEach(() => {
  vi.spyOn(console, 'error').mockReturnValue()
  vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error('no network'))
})

const PAID = { status: 'paid', held: 1, reason: null, stock: 0, points: 75 }
const NOBODYS = { orderId: '', intentId: '', amountCents: 0 }
const REFUNDED = { status: 'refunded', held: 0, reason: 'elsewhere', stock: 1, points: 0 }
/** Makes all of them the first one's buyer's. */
async function sameBuyer(first: { id: string }, ...others: { id: string }[]): Promise<number> {
  const sql =
    'UPDATE orders SET user_id = (SELECT user_id FROM orders WHERE id = ?2) WHERE id = ?1 RETURNING user_id AS id'
  const rows = others.map(({ id }) => env.DB.prepare(sql).bind(id, first.id).first<{ id: number }>())
  return (await Promise.all(rows))[0]!.id
}
const reasonOf = async ({ id }: Event) =>
  (await env.DB.prepare('SELECT reason FROM payment_events WHERE id = ?').bind(id).first<{ reason: string }>())?.reason
const holderOf = async ({ id }: { id: string }) =>
  (await env.DB.prepare('SELECT holder FROM orders WHERE id = ?').bind(id).first<{ holder: string | null }>())?.holder
const expire = (at: number) => env.DB.prepare(EXPIRE_DUE).bind(at).run()

type Events = ReturnType<typeof paymentEvents>
/** What can happen to one payment, each with what the order must be in the end, whichever way round it is told. */
const STORIES: [string, (events: Events) => Event[], object][] = [
  ['paid', (e) => [e.created(), e.succeeded()], PAID],
  ['declined, then paid with another card', (e) => [e.failed(), e.failed(), e.succeeded()], PAID],
  ['declined, paid, and called off too late', (e) => [e.failed(), e.succeeded(), e.canceled()], PAID],
  ['paid and refunded', (e) => [e.succeeded(), e.refunded()], REFUNDED],
  ['paid, refunded in two parts', (e) => [e.succeeded(), e.refunded(500), e.refunded(2000)], REFUNDED],
  ['paid, a part refunded', (e) => [e.succeeded(), e.refunded(500)], PAID],
  ['declined, paid, refunded', (e) => [e.failed(), e.succeeded(), e.refunded()], REFUNDED],
  ['paid and disputed', (e) => [e.succeeded(), e.disputed(), e.withdrawn()], { ...REFUNDED, reason: 'disputed' }],
  ['paid, and a part of it disputed', (e) => [e.succeeded(), e.withdrawn({}, 500)], PAID],
  [
    'paid, a part refunded and the rest disputed',
    (e) => [e.succeeded(), e.refunded(1500), e.withdrawn({}, 500)],
    { ...REFUNDED, reason: 'disputed' },
  ],
  [
    'paid, disputed, lost',
    (e) => [e.succeeded(), e.disputed(), e.withdrawn(), e.disputeClosed('lost')],
    { ...REFUNDED, reason: 'disputed' },
  ],
  [
    'paid, disputed, won: the points come back with the money',
    (e) => [e.succeeded(), e.withdrawn(), e.reinstated(), e.disputeClosed('won')],
    PAID,
  ],
  [
    'paid, and asked about by a bank that takes nothing',
    (e) => [e.succeeded(), e.disputed('warning_needs_response'), e.disputeClosed('warning_closed')],
    PAID,
  ],
  [
    'declined and called off',
    (e) => [e.failed(), e.canceled()],
    { status: 'expired', held: 0, reason: null, stock: 1, points: 0 },
  ],
]

/** Every order in which so many things can arrive. */
const permutations = <T>(things: readonly T[]): T[][] =>
  things.length < 2
    ? [[...things]]
    : things.flatMap((first, place) =>
        permutations(things.filter((_, at) => at !== place)).map((rest) => [first, ...rest]),
      )

for (const [story, tellStory, end] of STORIES)
  test(`${story}: the end is the same in every order of arrival, with one event sent twice`, async () => {
    const ways = permutations([...tellStory(paymentEvents(NOBODYS)).keys()])
    for (const [turn, way] of ways.entries()) {
      const order = await newOrder()
      const events = tellStory(order.events)
      for (const place of [...way, turn % way.length]) expect((await tell(events[place]!)).status).toBe(200)
      expect([way, await order.outcome()]).toEqual([way, end])
      expect(await holderOf(order)).toBe(null)
    }
  })

test('a bank that asks and takes nothing is for a person to answer', async () => {
  const order = await newOrder()
  const asked = order.events.disputed('warning_needs_response')
  await tell(order.events.succeeded())
  await tell(asked)
  expect(await reasonOf(asked)).toBe(
    'The buyer’s bank asks about this payment, and has taken nothing. Please answer it at the provider by 2026-07-11.',
  )
  const disputed = order.events.disputed()
  await tell(disputed)
  expect(await reasonOf(disputed)).toBe(
    'The buyer’s bank disputes this payment, and takes back $20.00. Please answer it at the provider by 2026-07-11.',
  )
})

test('points go and come with the money as often as it does: won, disputed again, won again, refunded', async () => {
  const { events, outcome } = await newOrder()
  const later = (seconds: number) => ({ created: NOON / SECOND + seconds })
  const points: number[] = []
  for (const event of [
    events.succeeded(),
    events.withdrawn(later(1)),
    events.reinstated(later(2)),
    events.withdrawn(later(3)),
    events.reinstated(later(4)),
    events.refunded(),
  ]) {
    await tell(event)
    await tell(event)
    points.push((await outcome()).points)
  }
  expect(points).toEqual([75, 0, 75, 0, 75, 0])
})

test('after a refund the next purchase earns the mission, and one that a person took back stays taken', async () => {
  const [first, second, third] = [await newOrder(), await newOrder(), await newOrder()]
  const userId = await sameBuyer(first, second, third)
  await tell(first.events.succeeded())
  await tell(first.events.refunded())
  expect((await first.outcome()).points).toBe(0)
  await tell(second.events.succeeded())
  expect((await first.outcome()).points).toBe(75)
  const row = { userId, action: 'mission', description: '', points: -75, createdAt: NOON }
  await db.insert(ledger).values({ ...row, key: 'undo:mission:shopper#2' })
  await tell(third.events.succeeded())
  expect((await first.outcome()).points).toBe(0)
})

test('a decline that is told twice does not take back the stock that the buyer has taken again', async () => {
  const order = await newOrder()
  const declined = order.events.failed()
  await tell(declined)
  expect(await order.outcome()).toMatchObject({ status: 'failed', held: 0, stock: 1 })
  await env.DB.prepare(`UPDATE orders SET status = 'pending', held = 1 WHERE id = ?`).bind(order.id).run()
  await tell(declined)
  expect(await order.outcome()).toMatchObject({ status: 'pending', held: 1, stock: 0 })
})

test('a payment that was made in time counts although it is told late, while there is stock', async () => {
  const order = await newOrder()
  await expire(UNTIL)
  expect(await order.outcome()).toMatchObject({ status: 'expired', held: 0, stock: 1 })
  await tell(order.events.succeeded({ created: UNTIL / SECOND - 1 }), { at: UNTIL + MINUTE })
  expect(await order.outcome()).toEqual(PAID)
})

test('a payment that was made too late is refunded, says so, and stays refunded', async () => {
  const order = await newOrder()
  await expire(UNTIL)
  const late = order.events.succeeded({ created: UNTIL / SECOND + 1 })
  await tell(late, { at: UNTIL + MINUTE })
  expect(await order.outcome()).toMatchObject({ status: 'expired', reason: 'late', held: 0, stock: 1, points: 0 })
  expect((await mailsTo(order.email))[0]?.text).toContain('Your payment came too late')
  const wanted = await env.DB.prepare('SELECT refund_wanted_at FROM orders WHERE id = ?').bind(order.id).first()
  expect(wanted).toEqual({ refund_wanted_at: UNTIL + MINUTE })
  await tell(order.events.refunded(), { at: UNTIL + 2 * MINUTE })
  await tell(late, { at: UNTIL + 2 * MINUTE })
  expect(await order.outcome()).toMatchObject({ status: 'refunded', reason: 'late', held: 0, stock: 1 })
  expect((await mailsTo(order.email)).map(({ kind }) => kind)).toEqual(['refund'])
})

test('a payment in time whose piece somebody else has meanwhile is refunded as well', async () => {
  const order = await newOrder()
  await expire(UNTIL)
  await env.DB.prepare('UPDATE products SET stock = 0 WHERE id = ?').bind(order.productId).run()
  await tell(order.events.succeeded(), { at: UNTIL + MINUTE })
  expect(await order.outcome()).toMatchObject({ status: 'expired', reason: 'sold_out', held: 0, stock: 0 })
  expect((await mailsTo(order.email))[0]?.text).toContain('what you ordered was sold out when we heard of it')
})

test('another sum than the order’s is asked for again while the order may be changing, and refunded after that', async () => {
  const order = await newOrder({ stock: 3, quantity: 2, amountCents: 4000, held: 2, revision: 2 })
  const paid = order.events.succeeded()
  expect((await tell(paid)).status).toBe(503)
  expect(await order.outcome()).toMatchObject({ status: 'pending', held: 2 })
  expect((await tell(paid, { at: UNTIL })).status).toBe(200)
  expect(await order.outcome()).toMatchObject({ status: 'expired', reason: 'amount', held: 0, stock: 3 })
  expect(await reasonOf(paid)).toContain('another sum came than its own, and is refunded')
  expect((await mailsTo(order.email))[0]?.text).toContain('what you paid was not its total any more')
  await tell(order.events.refunded(), { at: UNTIL + MINUTE })
  expect(await order.outcome()).toMatchObject({ status: 'refunded', reason: 'amount', held: 0, stock: 3 })
})

test('a refund that fails on its way is shown at the order until it is made again', async () => {
  const order = await newOrder()
  await tell(order.events.succeeded())
  await tell(order.events.refunded())
  const failed = order.events.refundFailed({ created: NOON / SECOND + 60 })
  await tell(failed, { at: NOON + MINUTE })
  const refused = () => env.DB.prepare('SELECT refund_refused_at AS at FROM orders WHERE id = ?').bind(order.id).first()
  expect(await refused()).toEqual({ at: NOON + MINUTE })
  // Made again since: told of the old one once more, the order is not marked by it.
  await env.DB.prepare('UPDATE orders SET refund_refused_at = NULL, refund_wanted_at = ?2 WHERE id = ?1')
    .bind(order.id, NOON + 2 * MINUTE)
    .run()
  await tell(order.events.refundFailed({ created: NOON / SECOND + 60 }), { at: NOON + 3 * MINUTE })
  expect(await refused()).toEqual({ at: null })
})

test('a refund that failed and was then made by hand at the provider is settled, whichever is told first', async () => {
  for (const backwards of [false, true]) {
    const order = await newOrder()
    const later = (seconds: number) => ({ created: NOON / SECOND + seconds })
    const events = [order.events.refundFailed(later(60)), order.events.refunded(2000, later(120))]
    await tell(order.events.succeeded())
    for (const event of backwards ? events.reverse() : events) await tell(event, { at: NOON + 3 * MINUTE })
    const row = await env.DB.prepare('SELECT status, refund_refused_at AS refused FROM orders WHERE id = ?')
      .bind(order.id)
      .first()
    expect([backwards, row]).toEqual([backwards, { status: 'refunded', refused: null }])
  }
})

test('a refund of a parcel that has left gives nothing back to the stock', async () => {
  const order = await newOrder()
  await tell(order.events.succeeded())
  await env.DB.prepare(`UPDATE orders SET fulfilment = 'shipped' WHERE id = ?`).bind(order.id).run()
  await tell(order.events.refunded())
  expect(await order.outcome()).toMatchObject({ status: 'refunded', held: 1, stock: 0, points: 0 })
})

test('a mission that stands without the refunded order keeps its points', async () => {
  const [first, second] = [await newOrder(), await newOrder()]
  await sameBuyer(first, second)
  await tell(first.events.succeeded())
  await tell(second.events.succeeded())
  await tell(first.events.refunded())
  expect((await first.outcome()).points).toBe(75)
  await tell(second.events.refunded())
  expect((await first.outcome()).points).toBe(0)
})

test('stock and what orders hold of it never disagree, whatever happens to three orders of two pieces', async () => {
  const kinds = ['succeeded', 'failed', 'canceled', 'refunded', 'withdrawn', 'reinstated', 'expire'] as const
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(2), fc.constantFrom(...kinds)), { minLength: 3, maxLength: 12 }),
      async (acts) => {
        const a = await newOrder({ stock: 2 })
        const declined = { of: a.productId, held: 0, status: 'failed' } as const
        const [b, c] = [await newOrder(declined), await newOrder(declined)]
        for (const [which, kind] of acts) {
          if (kind === 'expire') await expire(UNTIL)
          else expect((await tell([a, b, c][which]!.events[kind]())).status).toBe(200)
          const { stock, held } = await stockOf(a.productId)
          expect(stock + held).toBe(2)
        }
      },
    ),
    { numRuns: 15 },
  )
})
