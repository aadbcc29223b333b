import { env } from 'cloudflare:test'
import { beforeAll, expect, test, vi } from 'vitest'
import { HOUR, MINUTE } from '../lib/clock'
import { type Payments, ProviderUnreachable } from '../payments/provider'
import { addProduct } from '../testing/buyers'
import { furnish, NOON } from '../testing/furnish'
import { db } from '../testing/rows'
import { callOff, sweepOrders } from './expiry'
import { orders } from './orders.table'
import { sendRefunds } from './refunds'

beforeAll(() => furnish(env.DB))

const never = () => Promise.reject(new Error('not asked for in this test'))
/** A provider that answers for nothing of what is named bad, and what it was asked for. */
function provider() {
  const asked: string[] = []
  const answer = async (id: string) => {
    asked.push(id)
    if (id.startsWith('bad')) throw new ProviderUnreachable('timeout')
  }
  const payments: Payments = {
    ...{ provider: 'stripe', live: true },
    ...{ createIntent: never, changeIntent: never, readIntent: never, readEvent: never },
    closeIntent: async ({ orderId }) => answer(orderId).then(() => null),
    refund: ({ orderId }) => answer(orderId),
  }
  const sweep = async (at: number) => {
    asked.length = 0
    await sweepOrders({ db, payments, hear: never, at })
    return [...asked]
  }
  return { sweep, payments, asked }
}

const add = (id: string, productId: string, row: Partial<typeof orders.$inferInsert>) =>
  db.insert(orders).values({
    ...{ id, productId, quantity: 1, unitPriceCents: 2000, amountCents: 2000, status: 'expired', createdAt: NOON },
    ...{ provider: 'stripe', paymentIntentId: `pi_${id}`, ...row },
  })

test.each<[string, Partial<typeof orders.$inferInsert>]>([
  ['to be called off', { intentOpen: true }],
  ['to be refunded', { paidAt: NOON, refundReason: 'late', refundWantedAt: NOON }],
])(
  'however many orders %s get no answer, the others have their turn, and each is asked again later',
  async (_, row) => {
    vi.spyOn(console, 'error').mockReturnValue()
    await env.DB.prepare('DELETE FROM orders').run()
    const product = await addProduct(1)
    for (let n = 0; n < 30; n++) await add(`bad${n}`, product, row)
    await add('good', product, row)
    const { sweep } = provider()
    const first = await sweep(NOON)
    expect([first.length, first.includes('good')]).toEqual([25, false])
    expect(await sweep(NOON + MINUTE)).toContain('good')
    expect(await sweep(NOON + 2 * MINUTE)).toEqual([])
    // Each time twice as long, and never longer than six hours.
    const waits: number[] = []
    let at = NOON
    for (let n = 0; n < 9; n++) {
      const next = await env.DB.prepare(`SELECT retry_at AS at FROM orders WHERE id = 'bad0'`).first<{ at: number }>()
      waits.push((next!.at - at) / MINUTE)
      at = next!.at
      expect(await sweep(at - 1)).not.toContain('bad0')
      await env.DB.prepare(`DELETE FROM orders WHERE id <> 'bad0'`).run()
      expect(await sweep(at)).toEqual(['bad0'])
    }
    expect(waits).toEqual([5, 10, 20, 40, 80, 160, 320, (6 * HOUR) / MINUTE, (6 * HOUR) / MINUTE])
  },
)

test('two who call payments off at once ask the provider once for each', async () => {
  await env.DB.prepare('DELETE FROM orders').run()
  const product = await addProduct(1)
  for (let n = 0; n < 5; n++) await add(`open${n}`, product, { intentOpen: true })
  const { payments, asked } = provider()
  await Promise.all([1, 2].map(() => callOff({ db, payments, hear: never, at: NOON })))
  expect(asked.sort()).toEqual(['open0', 'open1', 'open2', 'open3', 'open4'])
  expect(await env.DB.prepare('SELECT sum(intent_open) AS open, max(retry_at) AS retry FROM orders').first()).toEqual({
    open: 0,
    retry: 0,
  })
})

test('two who send refunds at once, of all or of one order, ask the provider once for each', async () => {
  await env.DB.prepare('DELETE FROM orders').run()
  const product = await addProduct(1)
  for (let n = 0; n < 5; n++)
    await add(`back${n}`, product, { paidAt: NOON, refundReason: 'late', refundWantedAt: NOON })
  const { payments, asked } = provider()
  const hands = { db, payments, at: NOON }
  await Promise.all([sendRefunds(hands), sendRefunds(hands), sendRefunds(hands, 'back0'), sendRefunds(hands, 'back0')])
  expect(asked.sort()).toEqual(['back0', 'back1', 'back2', 'back3', 'back4'])
  expect(
    await env.DB.prepare('SELECT count(refund_sent_at) AS sent, max(retry_at) AS retry FROM orders').first(),
  ).toEqual({ sent: 5, retry: 0 })
})
