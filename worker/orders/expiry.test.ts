import { env } from 'cloudflare:test'
import { beforeAll, expect, test, vi } from 'vitest'
import { HOUR_MS, MINUTE_MS } from '../lib/clock'
import { type PaymentProvider, ProviderUnreachable } from '../payments/provider'
import { runScheduledJobs } from '../schedule'
import { emailsTo } from '../testing/emails'
import { db } from '../testing/fixtures'
import { addOrder, addProduct, DEMO_ENV, newBuyer, RESERVED_UNTIL } from '../testing/payments'
import { NOON, seedSite } from '../testing/seed'
import { runSql } from '../testing/stores'
import { cancelExpiredIntents, runOrderMaintenance } from './expiry'
import type { orders } from './orders.table'
import { sendFullRefunds } from './refunds'

beforeAll(() => seedSite(env.DB))

const rejectCall = () => Promise.reject(new Error('unexpected call'))
/** A provider that records the ids of its calls and times out for those that start with 'bad'. */
function fakeProvider() {
  const calls: string[] = []
  const respond = async (id: string) => {
    calls.push(id)
    if (id.startsWith('bad')) throw new ProviderUnreachable('timeout')
  }
  const payments: PaymentProvider = {
    provider: 'stripe',
    isLive: true,
    createIntent: rejectCall,
    changeIntent: rejectCall,
    readIntent: rejectCall,
    readEvent: rejectCall,
    closeIntent: async ({ orderId }) => respond(orderId).then(() => null),
    refund: ({ orderId }) => respond(orderId),
  }
  const runMaintenance = async (at: number) => {
    calls.length = 0
    await runOrderMaintenance({ db, payments, onPaymentEvent: rejectCall, at })
    return [...calls]
  }
  return { runMaintenance, payments, calls }
}

const addExpired = (id: string, productId: string, row: Partial<typeof orders.$inferInsert>) =>
  addOrder({ id, productId, status: 'expired', provider: 'stripe', paymentIntentId: `pi_${id}`, ...row })

const deleteOrders = (except = '') =>
  env.DB.batch([
    env.DB.prepare('DELETE FROM order_lines WHERE order_id <> ?1').bind(except),
    env.DB.prepare('DELETE FROM orders WHERE id <> ?1').bind(except),
  ])

test.each<[string, Partial<typeof orders.$inferInsert>]>([
  ['a cancellation', { intentOpen: true }],
  ['a refund', { paidAt: NOON, refundReason: 'late', refundRequestedAt: NOON }],
])('after a timeout retries %s with backoff, behind untried orders', async (_, row) => {
  vi.spyOn(console, 'error').mockReturnValue()
  await deleteOrders()
  const product = await addProduct(1)
  for (let n = 0; n < 30; n++) await addExpired(`bad${n}`, product, row)
  await addExpired('good', product, row)
  const { runMaintenance } = fakeProvider()
  // A run handles at most 25 orders.
  const first = await runMaintenance(NOON)
  expect([first.length, first.includes('good')]).toEqual([25, false])
  expect(await runMaintenance(NOON + MINUTE_MS)).toContain('good')
  expect(await runMaintenance(NOON + 2 * MINUTE_MS)).toEqual([])
  // The delays double, up to six hours.
  const delays: number[] = []
  let at = NOON
  for (let n = 0; n < 9; n++) {
    const next = await env.DB.prepare(`SELECT retry_at AS at FROM orders WHERE id = 'bad0'`).first<{ at: number }>()
    delays.push((next!.at - at) / MINUTE_MS)
    at = next!.at
    expect(await runMaintenance(at - 1)).not.toContain('bad0')
    await deleteOrders('bad0')
    expect(await runMaintenance(at)).toEqual(['bad0'])
  }
  expect(delays).toEqual([5, 10, 20, 40, 80, 160, 320, (6 * HOUR_MS) / MINUTE_MS, (6 * HOUR_MS) / MINUTE_MS])
})

test('receipts of the demo link to DEMO_ORIGIN', async () => {
  const buyer = newBuyer()
  const { orderId } = await buyer.buy(await addProduct(1), { email: 'ana@mail.example' })
  // The payment's webhook is lost.
  await runSql("UPDATE test_intents SET status = 'succeeded', succeeded_at = ?2 WHERE order_id = ?1", orderId, NOON)
  const DEMO_ORIGIN = 'https://demo.example'
  await runScheduledJobs('*/5 * * * *', { ...env, ...DEMO_ENV, DEMO_ORIGIN }, RESERVED_UNTIL)
  const [receipt] = await emailsTo('ana@mail.example')
  expect([receipt?.kind, receipt?.text]).toEqual(['receipt', expect.stringContaining(`${DEMO_ORIGIN}/order`)])
})

test('cancels each intent once under concurrency', async () => {
  await deleteOrders()
  const product = await addProduct(1)
  for (let n = 0; n < 5; n++) await addExpired(`intent${n}`, product, { intentOpen: true })
  const { payments, calls } = fakeProvider()
  await Promise.all([1, 2].map(() => cancelExpiredIntents({ db, payments, onPaymentEvent: rejectCall, at: NOON })))
  expect(calls.sort()).toEqual(['intent0', 'intent1', 'intent2', 'intent3', 'intent4'])
  expect(await env.DB.prepare('SELECT sum(intent_open) AS open, max(retry_at) AS retry FROM orders').first()).toEqual({
    open: 0,
    retry: 0,
  })
})

test('sends each refund once under concurrency', async () => {
  await deleteOrders()
  const product = await addProduct(1)
  for (let n = 0; n < 5; n++)
    await addExpired(`refund${n}`, product, { paidAt: NOON, refundReason: 'late', refundRequestedAt: NOON })
  const { payments, calls } = fakeProvider()
  const deps = { db, payments, at: NOON }
  await Promise.all([
    sendFullRefunds(deps),
    sendFullRefunds(deps),
    sendFullRefunds(deps, 'refund0'),
    sendFullRefunds(deps, 'refund0'),
  ])
  expect(calls.sort()).toEqual(['refund0', 'refund1', 'refund2', 'refund3', 'refund4'])
  expect(
    await env.DB.prepare('SELECT count(refund_sent_at) AS sent, max(retry_at) AS retry FROM orders').first(),
  ).toEqual({ sent: 5, retry: 0 })
})
