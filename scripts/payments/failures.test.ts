import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Shop, startShop } from './shop'

let shop: Shop
beforeAll(async () => {
  shop = await startShop()
}, 120_000)
afterAll(() => shop.close())

const chargesOf = (orderId: string) =>
  [...shop.stripe.charges.values()].filter((charge) => charge.metadata.order_id === orderId)

test('retries with a new idempotency key after a replayed 500', async () => {
  const product = await shop.addProduct(5)
  const checkoutKey = crypto.randomUUID()
  const failNextCall = () => shop.stripe.faults.push('saved 500')
  failNextCall()
  expect((await shop.buy(product, { checkoutKey })).status).toBe(503)
  const { status, body: intent } = await shop.buy(product, { checkoutKey })
  expect(status).toBe(200)
  const credentials = { orderId: intent.orderId, clientSecret: intent.clientSecret }
  failNextCall()
  expect((await shop.buy(product, { quantity: 2, ...credentials })).status).toBe(503)
  expect((await shop.buy(product, { quantity: 2, ...credentials })).body).toMatchObject({ amountCents: 4000 })
  shop.stripe.confirm(intent.clientSecret, 'good')
  await shop.deliverNewEvents()
  expect((await shop.order(intent)).status).toBe('paid')
  failNextCall()
  const cookie = await shop.newAdministrator()
  await shop.requestOnce('POST', `/api/admin/orders/${intent.orderId}/refund`, { reason: 'It came back' }, cookie)
  const sent = () => shop.rows('SELECT refund_sent_at IS NOT NULL AS sent FROM orders WHERE id = ?1', intent.orderId)
  expect(await sent()).toEqual([{ sent: 0 }])
  await shop.runFrequentJobs(new Date(Date.now() + 5 * 60_000))
  expect(await sent()).toEqual([{ sent: 1 }])
  expect(chargesOf(intent.orderId)).toMatchObject([{ amount_refunded: 4000 }])
})

test('marks a refused refund and allows another', async () => {
  const { body: intent } = await shop.buy(await shop.addProduct(1))
  shop.stripe.confirm(intent.clientSecret, 'good')
  await shop.deliverNewEvents()
  const [charge] = chargesOf(intent.orderId)
  shop.stripe.unrefundable.add(charge!.id)
  const cookie = await shop.newAdministrator()
  type Row = { refundRefused: boolean; refundable: boolean; status: string }
  const refund = async () =>
    (await shop.requestOnce<Row>('POST', `/api/admin/orders/${intent.orderId}/refund`, { reason: 'Too small' }, cookie))
      .body
  const countRefusedRefunds = async () =>
    (
      await shop.requestOnce<{ orderId: string; type: string }[]>(
        'GET',
        '/api/admin/payments/parked',
        undefined,
        cookie,
      )
    ).body.filter(({ orderId, type }) => orderId === intent.orderId && type === 'refund.refused').length
  expect(await refund()).toMatchObject({ status: 'paid', refundRefused: true, refundable: true })
  expect(await countRefusedRefunds()).toBe(1)
  await shop.runFrequentJobs()
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
  expect([(await shop.order(intent)).status, await countRefusedRefunds()]).toEqual(['refunded', 0])
})
