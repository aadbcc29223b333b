import { env } from 'cloudflare:test'
import { beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { AdminOrder, type BroadcastCode, type ParkedEvent } from '../contract/orders'
import { DAY_MS, MINUTE_MS, SECOND_MS, toIso } from '../lib/clock'
import { sha256 } from '../lib/crypto'
import { errorOf, readPages, send, statusAndCodeOf } from '../testing/client'
import { db } from '../testing/fixtures'
import {
  ADDRESS,
  addOrder,
  addProduct,
  addStripeOrder,
  DEMO_ENV,
  newBuyer,
  type StripeEvent,
  sendEvent,
  stockOf,
} from '../testing/payments'
import { NOON, seedSite } from '../testing/seed'
import { addNamedUser, cookieHeaderFor, logInWithPassword, PASSWORD } from '../testing/users'
import { getAdminOrder } from './admin-orders'
import type { orders } from './orders.table'
import { deleteOldOrders } from './retention'

let cookie: string
beforeAll(async () => {
  await seedSite(env.DB)
  cookie = await cookieHeaderFor('administrator')
})

const adminRequest = (method: string, path: string, json?: unknown) =>
  send(method, `/api/admin${path}`, json, { at: NOON, headers: { cookie }, env: DEMO_ENV })
const listOrders = async (query = '') =>
  z.array(AdminOrder).parse(await (await adminRequest('GET', `/orders${query}`)).json())
const auditEntries = async (subject: string) =>
  (await env.DB.prepare('SELECT action, detail FROM audit_log WHERE subject = ? ORDER BY id').bind(subject).all())
    .results

async function placePaidOrder(fields: Record<string, unknown> = {}) {
  const product = await addProduct(5)
  const buyer = newBuyer()
  const intent = await buyer.buy(product, { email: 'jane@mail.example', shippingAddress: ADDRESS, ...fields })
  await buyer.pay(intent)
  return { buyer, intent, product, id: intent.orderId }
}

test('finds orders by buyer, product and status with masked addresses', async () => {
  const { id, product } = await placePaidOrder()
  // The product with the id `product7` is named “Product 7”. The search ignores case.
  const [order, ...others] = await listOrders(`?q=${product}`.replace('product', 'PRODUCT '))
  expect([order?.id, others]).toEqual([id, []])
  expect(order).toMatchObject({
    email: 'j…@mail.example',
    hasAddress: true,
    taxLocation: null,
    status: 'paid',
    refundable: true,
    test: true,
  })
  expect(JSON.stringify(await listOrders())).not.toContain('Any Street')
  expect(await listOrders(`?q=${id}&status=paid&fulfilment=unfulfilled`)).toHaveLength(1)
  expect(await listOrders(`?q=${id}&status=refunded`)).toEqual([])
  for (const q of ['%', '_', "' OR 1=1--", 'x'.repeat(90), '%00'])
    expect((await adminRequest('GET', `/orders?q=${encodeURIComponent(q)}`)).status).toBe(200)
  for (const wrong of ['status=sent', 'fulfilment=lost', 'cursor=1', 'cursor=x.y'])
    expect(await statusAndCodeOf(await adminRequest('GET', `/orders?${wrong}`))).toEqual([400, 'bad_input'])
  expect(await (await adminRequest('POST', `/orders/${id}/reveal`)).json()).toEqual({
    email: 'jane@mail.example',
    shippingAddress: ADDRESS,
  })
  expect(await auditEntries(`order:${id}`)).toEqual([{ action: 'order.revealed', detail: '{}' }])
})

test('marks unshipped paid orders without postal or email address', async () => {
  const productId = await addProduct(9, 2000, true)
  const addPaid = (id: string, row: Partial<typeof orders.$inferInsert> = {}) =>
    addOrder({ id, productId, status: 'paid', paidAt: NOON, email: 'a@mail.example', shippingAddress: ADDRESS, ...row })
  await addPaid('lacks_address', { shippingAddress: null, fulfilment: 'packed', clientSecretHash: await sha256('s') })
  await addPaid('lacks_mailbox', { email: null })
  await addPaid('has_both')
  await addPaid('shipped', { shippingAddress: null, fulfilment: 'shipped' })
  await addPaid('refunded', { shippingAddress: null, status: 'refunded' })
  await addPaid('refund_pending', { shippingAddress: null, refundRequestedAt: NOON })
  await addPaid('not_shipped', { shippingAddress: null, productId: await addProduct(1) })
  const idsMissingAddress = (list: AdminOrder[]) => list.filter((order) => order.addressMissing).map(({ id }) => id)
  expect(idsMissingAddress(await listOrders()).sort()).toEqual(['lacks_address', 'lacks_mailbox'])
  const filtered = await listOrders('?fulfilment=address_missing')
  expect(filtered.map(({ id }) => id).sort()).toEqual(['lacks_address', 'lacks_mailbox'])
  const receipt = await newBuyer().order({ orderId: 'lacks_address', clientSecret: 's' })
  expect(receipt.message).toMatch(/^We need a little more before we can ship this\. Please add it here/)
})

test('lists fifty orders per page', async () => {
  const productId = await addProduct(1)
  await db.batch(
    Array.from({ length: 120 }, (_, n) =>
      addOrder({ id: `page_${n}`, productId, status: 'expired', createdAt: NOON - DAY_MS - Math.floor(n / 7) }),
    ) as never,
  )
  const pages = await readPages<AdminOrder>('/api/admin/orders?q=page_', { at: NOON, headers: { cookie } })
  const ids = pages.flat().map(({ id }) => id)
  expect([pages.length, ids.length, new Set(ids).size]).toEqual([3, 120, 120])
})

test('updates and audits the fulfilment of paid orders only', async () => {
  const { id, buyer, intent } = await placePaidOrder()
  for (const fulfilment of ['packed', 'shipped', 'shipped'])
    expect((await adminRequest('PATCH', `/orders/${id}`, { fulfilment, tracking: 'USPS 1Z' })).status).toBe(200)
  expect(
    await env.DB.prepare('SELECT shipped_at FROM orders WHERE id = ?').bind(id).first('shipped_at'),
  ).toBeGreaterThan(0)
  expect(await buyer.order(intent)).toMatchObject({ fulfilment: 'shipped', tracking: 'USPS 1Z' })
  expect((await auditEntries(`order:${id}`)).map(({ detail }) => detail)).toEqual([
    '{"fulfilment":"packed"}',
    '{"fulfilment":"shipped"}',
  ])
  const unpaid = await newBuyer().buy(await addProduct(1))
  expect((await errorOf(await adminRequest('PATCH', `/orders/${unpaid.orderId}`, { fulfilment: 'packed' })))[0]).toBe(
    409,
  )
})

test('blocks shipping while a refund is pending', async () => {
  const { id } = await placePaidOrder()
  const update = async (fulfilment: string) => (await adminRequest('PATCH', `/orders/${id}`, { fulfilment })).status
  const updateOrder = (assignments: string) =>
    env.DB.prepare(`UPDATE orders SET ${assignments} WHERE id = ?1`).bind(id).run()
  await updateOrder(`refund_reason = 'requested', refund_wanted_at = ${NOON}`)
  expect([await update('packed'), await update('shipped')]).toEqual([409, 409])
  // After a rejected refund, an administrator may still ship.
  await updateOrder(`refund_refused_at = ${NOON}`)
  expect(await update('shipped')).toBe(200)
  // While a refund is pending, a shipped order can still be marked as delivered.
  await updateOrder('refund_refused_at = NULL')
  expect(await update('delivered')).toBe(200)
})

test('refunds once, releases the stock and audits it', async () => {
  const { id, buyer, intent, product } = await placePaidOrder()
  const refund = () => adminRequest('POST', `/orders/${id}/refund`, { reason: 'Wrong size' })
  expect(await (await refund()).json()).toMatchObject({
    status: 'refunded',
    refundReason: 'requested',
    refundedCents: 2000,
  })
  expect(await errorOf(await refund())).toEqual([409, 'conflict', 'This order has been refunded already.'])
  expect(await buyer.order(intent)).toMatchObject({
    status: 'refunded',
    message: 'This order has been refunded in full.',
  })
  expect(await stockOf(product)).toEqual({ stock: 5, held: 0 })
  expect(await auditEntries(`order:${id}`)).toEqual([{ action: 'order.refunded', detail: '{"reason":"Wrong size"}' }])
  const unpaid = await newBuyer().buy(product)
  expect((await errorOf(await adminRequest('POST', `/orders/${unpaid.orderId}/refund`, { reason: 'No' })))[2]).toBe(
    'Only a paid order can be refunded.',
  )
})

test('names the other provider when a rejected refund is repeated', async () => {
  const { id } = await placePaidOrder()
  await env.DB.prepare(
    "UPDATE orders SET provider = 'other', status = 'refunded', refund_wanted_at = ?2, refund_refused_at = ?2 WHERE id = ?1",
  )
    .bind(id, NOON)
    .run()
  expect(await errorOf(await adminRequest('POST', `/orders/${id}/refund`, { reason: 'Wrong size' }))).toEqual([
    409,
    'conflict',
    'This order was not paid through the payments that are set up now. Please refund it at that provider.',
  ])
  await env.DB.prepare('UPDATE orders SET refund_refused_at = NULL WHERE id = ?1').bind(id).run()
})

test('lists rejected refunds first and dismisses parked events', async () => {
  const { id } = await placePaidOrder()
  await env.DB.prepare('UPDATE orders SET refund_refused_at = ?2 WHERE id = ?1').bind(id, NOON).run()
  const parkedEventSql = `INSERT INTO payment_events (id, type, state, reason, delivery, received_at) VALUES (?1, 'charge', 'parked', 'Why.', '', ?2)`
  for (const [event, at] of [
    ['evt_old', NOON + 1],
    ['evt_new', NOON + 2],
  ])
    await env.DB.prepare(parkedEventSql).bind(event, at).run()
  const listParked = async () =>
    (await (await adminRequest('GET', '/payments/parked')).json<ParkedEvent[]>()).map(({ id, dismissable }) => [
      id,
      dismissable,
    ])
  const rejectedRefund = [`refund:${id}`, false]
  expect(await listParked()).toEqual([rejectedRefund, ['evt_new', true], ['evt_old', true]])
  const dismiss = (event: string) => adminRequest('POST', `/payments/parked/${event}/seen`)
  expect((await dismiss('evt_new')).status).toBe(204)
  expect(await statusAndCodeOf(await dismiss('evt_new'))).toEqual([404, 'not_found'])
  expect((await dismiss(`refund:${id}`)).status).toBe(404)
  expect(await listParked()).toEqual([rejectedRefund, ['evt_old', true]])
  expect(await auditEntries('payment_event:evt_new')).toEqual([{ action: 'payment.seen', detail: '{}' }])
})

test('subtracts refunds from revenue', async () => {
  const revenue = async () =>
    (await (await adminRequest('GET', '/overview')).json<{ revenueCents: number }>()).revenueCents
  const before = await revenue()
  const { id } = await placePaidOrder({ quantity: 2 })
  expect(await revenue()).toBe(before + 4000)
  await env.DB.prepare('UPDATE orders SET refunded_cents = 1500 WHERE id = ?').bind(id).run()
  expect(await revenue()).toBe(before + 2500)
  await adminRequest('POST', `/orders/${id}/refund`, { reason: 'All of it' })
  expect(await revenue()).toBe(before)
})

test('applies the broadcast code once per order, until replaced', async () => {
  const rotate = async (code?: string) =>
    (await adminRequest('POST', '/promotion-code/rotate', code === undefined ? {} : { code })).json<BroadcastCode>()
  expect((await rotate('summer-26')).code).toBe('SUMMER-26')
  const product = await addProduct(5)
  const buyer = newBuyer()
  const intent = await buyer.buy(product, { quantity: 2, promotionCode: 'Summer-26' })
  expect(intent).toMatchObject({ amountCents: 3500, discountCents: 500, promotionCode: 'SUMMER-26' })
  // The order keeps the code until the buyer removes it.
  expect(await buyer.buy(product, { quantity: 3 })).toMatchObject({ amountCents: 5500 })
  expect(await buyer.buy(product, { quantity: 3, promotionCode: '' })).toMatchObject({ amountCents: 6000 })
  expect(await statusAndCodeOf(await buyer.requestIntent(product, { quantity: 3, promotionCode: 'WINTER' }))).toEqual([
    400,
    'unknown_code',
  ])
  await buyer.buy(product, { quantity: 2, promotionCode: 'SUMMER-26' })
  await buyer.pay(intent)
  expect(await (await adminRequest('GET', '/promotion-code')).json()).toMatchObject({
    code: 'SUMMER-26',
    uses: 1,
    discountCents: 500,
  })
  // An open order loses an ended code and must pay the full price.
  const openBuyer = newBuyer()
  const openIntent = await openBuyer.buy(product, { promotionCode: 'SUMMER-26' })
  expect(openIntent).toMatchObject({ amountCents: 1500, promotionCode: 'SUMMER-26' })
  const next = await rotate()
  expect(await openBuyer.buy(product)).toMatchObject({
    orderId: openIntent.orderId,
    amountCents: 2000,
    promotionCode: null,
  })
  expect(next.code).toMatch(/^[A-Z2-9]{8}$/)
  expect((await errorOf(await newBuyer().requestIntent(product, { promotionCode: 'SUMMER-26' })))[1]).toBe(
    'unknown_code',
  )
  expect(await statusAndCodeOf(await adminRequest('POST', '/promotion-code/rotate', { code: 'summer-26' }))).toEqual([
    409,
    'conflict',
  ])
  expect(await (await adminRequest('GET', '/promotion-code')).json()).toMatchObject({ code: next.code })
  expect(await auditEntries(`promotion:${next.code}`)).toEqual([{ action: 'promotion.rotated', detail: '{}' }])
})

test('the broadcast code does not discount below the minimum charge', async () => {
  const { code } = await (await adminRequest('POST', '/promotion-code/rotate', {})).json<BroadcastCode>()
  const product = await addProduct(5, 300)
  const cheap = { amount: 3, promotionCode: code }
  expect(await newBuyer().buy(product, cheap)).toMatchObject({ amountCents: 50, discountCents: 250 })
})

test('exports orders and retains amounts after account erasure', async () => {
  await addNamedUser('leaver')
  const browser = await logInWithPassword('leaver', { env: DEMO_ENV, at: NOON })
  const buyer = newBuyer(browser)
  const intent = await buyer.buy(await addProduct(1), { shippingAddress: ADDRESS })
  await buyer.pay(intent)
  await browser.send('POST', '/api/auth/confirm', { password: PASSWORD }, { at: NOON })
  const userOrders = await (await browser.send('GET', '/api/account/export', undefined, { at: NOON })).text()
  expect(userOrders).toContain(intent.orderId)
  await env.DB.prepare("UPDATE orders SET fulfilment = 'delivered' WHERE id = ?").bind(intent.orderId).run()
  expect((await browser.send('DELETE', '/api/account', { password: PASSWORD }, { at: NOON })).status).toBe(204)
  const row = await env.DB.prepare('SELECT * FROM orders WHERE id = ?').bind(intent.orderId).first()
  expect(row).toMatchObject({ status: 'paid', amount_cents: 2000, email: null, shipping_address: null })
  expect(JSON.stringify(row)).not.toMatch(/leaver|Any Street/)
})

test('deletes orders after seven years, unpaid buyers after 30 days', async () => {
  const productId = await addProduct(1)
  const at = Date.parse('2033-07-01T00:00:00Z')
  const addOld = (id: string, createdAt: string, row: Partial<typeof orders.$inferInsert> = {}) => {
    const paid = { status: 'paid', paidAt: 1, email: 'a@mail.example' } as const
    return addOrder({ id, productId, ...paid, createdAt: Date.parse(createdAt), ...row })
  }
  await addOld('seven', '2026-07-01T00:00:00Z')
  await addOld('nearly', '2026-07-01T00:00:00.001Z')
  await addOld('abandoned', '2033-06-01T00:00:00Z', { status: 'expired', paidAt: null, networkHash: 'hash' })
  await addOld('download', '2033-06-01T00:00:00Z', {
    status: 'expired',
    paidAt: null,
    email: null,
    shippingAddress: null,
    taxLocation: { country: 'US', state: 'FL', postalCode: '33602' },
  })
  await addOld('recent', '2033-06-01T00:00:00.001Z', { status: 'expired', paidAt: null, networkHash: 'hash' })
  await env.DB.prepare(
    `INSERT INTO payment_events (id, type, state, delivery, received_at)
     VALUES ('evt_seven', 't', 'parked', 'd', ?1), ('evt_nearly', 't', 'ignored', 'd', ?1 + 1)`,
  )
    .bind(Date.parse('2026-07-01T00:00:00Z'))
    .run()
  await deleteOldOrders(db, at)
  const events = await env.DB.prepare("SELECT id FROM payment_events WHERE id IN ('evt_seven', 'evt_nearly')").all()
  expect(events.results).toEqual([{ id: 'evt_nearly' }])
  const remaining = await env.DB.prepare(
    'SELECT id, email, network_hash, tax_location FROM orders WHERE product_id = ? ORDER BY id',
  )
    .bind(productId)
    .all()
  expect(remaining.results).toEqual([
    { id: 'abandoned', email: null, network_hash: null, tax_location: null },
    { id: 'download', email: null, network_hash: null, tax_location: null },
    { id: 'nearly', email: 'a@mail.example', network_hash: null, tax_location: null },
    { id: 'recent', email: 'a@mail.example', network_hash: 'hash', tax_location: null },
  ])
})

test('adds a missing address once and changes no existing one', async () => {
  const productId = await addProduct(9, 2000, true)
  const clientSecretHash = await sha256('s')
  const addPaid = (id: string, row: Partial<typeof orders.$inferInsert> = {}) =>
    addOrder({ id, productId, status: 'paid', paidAt: NOON, email: 'a@mail.example', clientSecretHash, ...row })
  const { browser } = newBuyer()
  const postAddress = (id: string, json: object) =>
    browser.send('POST', `/api/orders/${id}/address`, { clientSecret: 's', ...json }, { at: NOON + 5000 })
  await addPaid('to_complete')
  expect((await errorOf(await postAddress('to_complete', { shippingAddress: ADDRESS, clientSecret: 'x' })))[0]).toBe(
    404,
  )
  expect(await statusAndCodeOf(await postAddress('to_complete', {}))).toEqual([400, 'bad_input'])
  expect((await postAddress('to_complete', { shippingAddress: { ...ADDRESS, city: '' } })).status).toBe(400)
  const input = { shippingAddress: ADDRESS, email: 'b@mail.example' }
  const complete = { shippingAddress: ADDRESS, email: 'a@mail.example', addressMissing: false, message: null }
  expect(await (await postAddress('to_complete', input)).json()).toMatchObject(complete)
  const otherAddress = { ...ADDRESS, line1: '2 Other Street' }
  expect(await statusAndCodeOf(await postAddress('to_complete', { shippingAddress: otherAddress }))).toEqual([
    409,
    'conflict',
  ])
  expect(await getAdminOrder(db, 'to_complete', NOON)).toMatchObject({
    addressMissing: false,
    addressAddedAt: new Date(NOON + 5000).toISOString(),
  })
  // The buyer of an order without an email address has no receipt yet.
  await addPaid('without_mailbox', { email: null })
  expect((await postAddress('without_mailbox', { shippingAddress: ADDRESS })).status).toBe(400)
  expect((await postAddress('without_mailbox', input)).status).toBe(200)
  const mails = await env.DB.prepare(
    `SELECT recipient FROM outbox WHERE dedupe_key IN ('receipt:to_complete', 'receipt:without_mailbox')`,
  ).all()
  expect(mails.results).toEqual([{ recipient: 'b@mail.example' }])
  // Shipped, refunded or unpaid orders need no address.
  await addPaid('shipped_later', { fulfilment: 'shipped' })
  await addPaid('refunded_later', { status: 'refunded' })
  await addPaid('not_paid', { status: 'expired', paidAt: null })
  for (const id of ['shipped_later', 'refunded_later', 'not_paid'])
    expect((await postAddress(id, input)).status).toBe(409)
  // An erased buyer's address is erased after delivery.
  const { id: userId } = await addNamedUser('left')
  await addPaid('of_erased_user', { userId })
  await env.DB.prepare('UPDATE users SET erased_at = ?1 WHERE id = ?2').bind(NOON, userId).run()
  expect((await postAddress('of_erased_user', input)).status).toBe(200)
  const pendingErasures = env.DB.prepare(`SELECT id FROM orders WHERE forget_wanted_at IS NOT NULL AND product_id = ?`)
  expect((await pendingErasures.bind(productId).all()).results).toEqual([{ id: 'of_erased_user' }])
})

test('holds the shipment while a dispute is open', async () => {
  const order = await addStripeOrder()
  const deliver = async (event: StripeEvent) => expect((await sendEvent(event)).status).toBe(200)
  await deliver(order.events.succeeded())
  await deliver(order.events.disputed('warning_needs_response', { created: NOON / SECOND_MS + 60 }))
  const dispute = { openedAt: toIso(NOON + MINUTE_MS), respondBy: toIso(NOON + 10 * DAY_MS) }
  expect(await getAdminOrder(db, order.id, NOON)).toMatchObject({ status: 'paid', dispute })
  const isInPackTab = async () => {
    const listed = await (await adminRequest('GET', '/orders?tab=pack')).json<AdminOrder[]>()
    return listed.some(({ id }) => id === order.id)
  }
  const setFulfilment = (fulfilment: string) => adminRequest('PATCH', `/orders/${order.id}`, { fulfilment })
  expect((await setFulfilment('packed')).status).toBe(200)
  expect(await isInPackTab()).toBe(false)
  expect(await errorOf(await setFulfilment('shipped'))).toEqual([
    409,
    'conflict',
    'The buyer’s bank disputes or questions this payment. Please hold the shipment until that is settled.',
  ])
  const parked = await (await adminRequest('GET', '/payments/parked')).json<ParkedEvent[]>()
  expect(parked.find(({ orderId }) => orderId === order.id)?.reason).toContain('asks about this payment')
  await deliver(order.events.disputeClosed('warning_closed', { created: NOON / SECOND_MS + 120 }))
  expect(await getAdminOrder(db, order.id, NOON)).toMatchObject({ dispute: null })
  expect(await isInPackTab()).toBe(true)
  expect((await setFulfilment('shipped')).status).toBe(200)
})
