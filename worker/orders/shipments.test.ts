import { env } from 'cloudflare:test'
import { beforeAll, expect, test } from 'vitest'
import type { AdminOrder, OrderTab, ShipmentResult } from '../contract/orders'
import type { PendingTask } from '../contract/pending-tasks'
import { DAY_MS } from '../lib/clock'
import { send } from '../testing/client'
import { ADDRESS, addOrder, addProduct, DEMO_ENV, newBuyer } from '../testing/payments'
import { NOON, seedSite } from '../testing/seed'
import { cookieHeaderFor } from '../testing/users'
import type { orders } from './orders.table'

let cookie: string
beforeAll(async () => {
  await seedSite(env.DB)
  cookie = await cookieHeaderFor('administrator')
})

const adminRequest = (method: string, path: string, json?: unknown) =>
  send(method, `/api/admin${path}`, json, { at: NOON, headers: { cookie }, env: DEMO_ENV })
const ship = async (shipments: unknown[]) =>
  (await (await adminRequest('POST', '/shipments', { orders: shipments })).json()) as ShipmentResult[]
const listIds = async (query: string) => {
  const orders = (await (await adminRequest('GET', `/orders${query}`)).json()) as AdminOrder[]
  return orders.map(({ id }) => id).sort()
}
const shippedEmails = async (recipient: string) =>
  (
    await env.DB.prepare("SELECT text FROM outbox WHERE kind = 'shipped' AND recipient = ?")
      .bind(recipient)
      .all<{ text: string }>()
  ).results
const auditEntries = async (id: string) =>
  (await env.DB.prepare('SELECT action, detail FROM audit_log WHERE subject = ? ORDER BY id').bind(`order:${id}`).all())
    .results

async function placePaidOrder(email: string) {
  const product = await addProduct(5, 2000, true)
  const buyer = newBuyer()
  const intent = await buyer.buy(product, { email, shippingAddress: ADDRESS })
  await buyer.pay(intent)
  return { id: intent.orderId, product, order: () => buyer.order(intent) }
}

/** Stores a paid order of one line. */
async function addPaid(id: string, productId: string, row: Partial<typeof orders.$inferInsert> = {}) {
  await addOrder({
    id,
    productId,
    status: 'paid',
    paidAt: NOON,
    email: 'a@mail.example',
    shippingAddress: ADDRESS,
    ...row,
  })
}

test('ships many orders in one request with their tracking', async () => {
  const [first, second] = [await placePaidOrder('one@mail.example'), await placePaidOrder('two@mail.example')]
  const shipments = [
    { id: first.id, carrier: 'USPS', tracking: '9400 1' },
    { id: second.id, carrier: 'DHL', tracking: 'JD 2' },
  ]
  expect(await ship(shipments)).toEqual([
    { id: first.id, error: null },
    { id: second.id, error: null },
  ])
  expect(await first.order()).toMatchObject({ fulfilment: 'shipped', carrier: 'USPS', tracking: '9400 1' })
  expect(await second.order()).toMatchObject({ fulfilment: 'shipped', carrier: 'DHL', tracking: 'JD 2' })
  expect(await auditEntries(first.id)).toEqual([{ action: 'order.fulfilment', detail: '{"fulfilment":"shipped"}' }])
  const [email, ...others] = await shippedEmails('two@mail.example')
  expect(others).toEqual([])
  expect(email?.text).toContain('Carrier: DHL\nTracking: JD 2')
})

test('emails a buyer once when an order ships twice', async () => {
  const { id } = await placePaidOrder('again@mail.example')
  await ship([{ id }])
  expect(await ship([{ id }])).toEqual([{ id, error: 'This order has been shipped already.' }])
  await adminRequest('PATCH', `/orders/${id}`, { fulfilment: 'packed' })
  await adminRequest('PATCH', `/orders/${id}`, { fulfilment: 'shipped', carrier: 'UPS' })
  expect(await shippedEmails('again@mail.example')).toHaveLength(1)
})

test('marking one order as shipped emails the buyer too', async () => {
  const { id } = await placePaidOrder('single@mail.example')
  await adminRequest('PATCH', `/orders/${id}`, { fulfilment: 'packed' })
  expect(await shippedEmails('single@mail.example')).toEqual([])
  await adminRequest('PATCH', `/orders/${id}`, { fulfilment: 'shipped', tracking: '1Z' })
  expect(await shippedEmails('single@mail.example')).toHaveLength(1)
})

test('explains for each order why it was not shipped', async () => {
  const productId = await addProduct(50, 2000, true)
  const digitalProductId = await addProduct(50)
  await addPaid('ok', productId)
  await addPaid('no_address', productId, { shippingAddress: null, email: 'none@mail.example' })
  await addPaid('refunding', productId, { refundRequestedAt: NOON, email: 'none@mail.example' })
  await addPaid('unpaid', productId, { status: 'expired', paidAt: null, email: 'none@mail.example' })
  await addPaid('digital', digitalProductId, { email: 'none@mail.example' })
  await env.DB.prepare("UPDATE order_lines SET kind = 'digital' WHERE order_id = 'digital'").run()
  const ids = ['unpaid', 'ok', 'no_address', 'refunding', 'digital', 'unknown']
  expect(await ship(ids.map((id) => ({ id })))).toEqual([
    { id: 'unpaid', error: 'Only a paid order can be shipped.' },
    { id: 'ok', error: null },
    { id: 'no_address', error: 'This order has no address yet.' },
    { id: 'refunding', error: 'This order is being refunded. Please do not ship it.' },
    { id: 'digital', error: 'There is nothing to ship in this order.' },
    { id: 'unknown', error: 'That order does not exist.' },
  ])
  expect(await shippedEmails('none@mail.example')).toEqual([])
  expect(await auditEntries('no_address')).toEqual([])
})

test('sorts orders into tabs by their next step', async () => {
  const productId = await addProduct(50, 2000, true)
  const preorderProductId = await addProduct(50, 2000, true)
  await env.DB.prepare('UPDATE products SET releases_at = ?2 WHERE id = ?1')
    .bind(preorderProductId, NOON + DAY_MS)
    .run()
  await addPaid('tab_pack', productId, { fulfilment: 'packed' })
  await addPaid('tab_shipped', productId, { fulfilment: 'shipped' })
  await addPaid('tab_preorder', preorderProductId)
  await addPaid('tab_refunded', productId, { status: 'refunded', refundedCents: 2000 })
  await addPaid('tab_refunding', productId, { refundRequestedAt: NOON })
  await addPaid('tab_unpaid', productId, { status: 'expired', paidAt: null })
  const idsInTab = (tab: OrderTab) => listIds(`?q=tab_&tab=${tab}`)
  expect(await idsInTab('pack')).toEqual(['tab_pack'])
  // The overview counts the same orders, including those of other tests.
  const tasks = (await (await adminRequest('GET', '/waiting')).json()) as PendingTask[]
  const countOf = (item: string) => tasks.find(({ id }) => id === item)?.count ?? 0
  const [unpacked, packed] = [
    await listIds('?tab=pack&fulfilment=unfulfilled'),
    await listIds('?tab=pack&fulfilment=packed'),
  ]
  expect([countOf('orders.pack'), countOf('orders.ship')]).toEqual([unpacked.length, packed.length])
  expect((await listIds('?tab=pack')).sort()).toEqual([...unpacked, ...packed].sort())
  expect(await idsInTab('shipped')).toEqual(['tab_shipped'])
  expect(await idsInTab('preorders')).toEqual(['tab_preorder'])
  expect(await idsInTab('refunds')).toEqual(['tab_refunded', 'tab_refunding'])
  expect(await idsInTab('all')).toHaveLength(6)
  expect((await adminRequest('GET', '/orders?tab=lost')).status).toBe(400)
})

test('finds an order by its whole email address', async () => {
  const { id } = await placePaidOrder('secret.fan@mail.example')
  expect(await listIds('?q=SECRET.fan@Mail.example')).toEqual([id])
})

test('sorts orders by amount', async () => {
  for (const [id, quantity] of [
    ['sum_b', 2],
    ['sum_a', 3],
    ['sum_c', 1],
  ] as const)
    await addPaid(id, await addProduct(9), { quantity, amountCents: quantity * 2000 })
  const orders = (await (await adminRequest('GET', '/orders?q=sum_&sort=-amount')).json()) as AdminOrder[]
  expect(orders.map(({ id }) => id)).toEqual(['sum_a', 'sum_b', 'sum_c'])
})
