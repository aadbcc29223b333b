import { env } from 'cloudflare:test'
import { beforeAll, expect, test } from 'vitest'
import type { AdminOrderRecord, Customer } from '../contract/orders'
import { MINUTE_MS } from '../lib/clock'
import { send } from '../testing/client'
import { ADDRESS, addProduct, DEMO_ENV, newBuyer } from '../testing/payments'
import { NOON, seedSite } from '../testing/seed'
import { cookieHeaderFor } from '../testing/users'

let cookie: string
beforeAll(async () => {
  await seedSite(env.DB)
  cookie = await cookieHeaderFor('administrator')
})

const LATER = NOON + MINUTE_MS
const adminRequest = (method: string, path: string, json?: unknown, at = LATER) =>
  send(method, `/api/admin${path}`, json, { at, headers: { cookie }, env: DEMO_ENV })
const readOrder = async (id: string) => (await adminRequest('GET', `/orders/${id}`)).json() as Promise<AdminOrderRecord>
const readCustomer = async (orderId: string) =>
  (await adminRequest('GET', `/customers/${orderId}`)).json() as Promise<Customer>

async function placePaidOrder(email: string) {
  const buyer = newBuyer()
  const intent = await buyer.buy(await addProduct(5, 2000, true), { email, shippingAddress: ADDRESS })
  await buyer.pay(intent)
  return intent.orderId
}

test('lists an order’s events in chronological order', async () => {
  const id = await placePaidOrder('events@mail.example')
  await adminRequest('PATCH', `/orders/${id}`, { fulfilment: 'packed' }, LATER)
  await adminRequest('POST', `/orders/${id}/reveal`, undefined, LATER + 1)
  const [line] = (await readOrder(id)).lines
  const refund = { reason: 'Too small', lines: [{ lineId: line?.id, quantity: 1, restock: true }] }
  expect((await adminRequest('POST', `/orders/${id}/refund`, refund, LATER + 2)).status).toBe(200)
  const { events, customer } = await readOrder(id)
  expect(events.filter(({ kind }) => !kind.startsWith('email')).map(({ kind }) => kind)).toEqual([
    'placed',
    'paid',
    'packed',
    'revealed',
    'refund_requested',
    'refund_sent',
    'refunded',
  ])
  expect(events.find(({ kind }) => kind === 'refund_requested')).toMatchObject({ amountCents: 2000, note: 'Too small' })
  expect(events.find(({ kind }) => kind === 'packed')?.actor).toMatch(/\w/)
  expect(customer).toMatchObject({ kind: 'guest', email: 'e…@mail.example' })
})

test('sums a guest’s orders by email address', async () => {
  const first = await placePaidOrder('guest@mail.example')
  const second = await placePaidOrder('Guest@mail.example')
  await placePaidOrder('other@mail.example')
  const { customer } = await readOrder(first)
  expect(customer).toEqual({ kind: 'guest', orderId: first, email: 'g…@mail.example' })
  const page = await readCustomer(first)
  expect(page.orders.map(({ id }) => id).sort()).toEqual([first, second].sort())
  expect(page).toMatchObject({ email: 'g…@mail.example', totals: { orders: 2, paidCents: 4000, refundedCents: 0 } })
  expect((await adminRequest('GET', '/customers/unknown')).status).toBe(404)
})
