import { env } from 'cloudflare:test'
import { beforeAll, expect, test } from 'vitest'
import { sha256 } from '../lib/crypto'
import { errorOf } from '../testing/client'
import { db } from '../testing/fixtures'
import { addProduct, newBuyer } from '../testing/payments'
import { NOON, seedSite } from '../testing/seed'
import { addVerifiedUser } from '../testing/users'
import { getAdminOrder } from './admin-orders'
import { orders } from './orders.table'

beforeAll(() => seedSite(env.DB))

const address = { name: 'A Fan', line1: '1 Any Street', city: 'Tampa', state: 'FL', postalCode: '33602', country: 'US' }

test('completes a missing address once and never changes one', async () => {
  const productId = await addProduct(9, 2000, true)
  const add = async (id: string, row: Partial<typeof orders.$inferInsert>) =>
    db.insert(orders).values({
      ...{ id, productId, quantity: 1, unitPriceCents: 2000, amountCents: 2000, status: 'paid', createdAt: NOON },
      ...{ paidAt: NOON, email: 'a@mail.example', clientSecretHash: await sha256('s'), ...row },
    })
  const { browser } = newBuyer()
  const postAddress = (id: string, json: object) =>
    browser.send('POST', `/api/orders/${id}/address`, { clientSecret: 's', ...json }, { at: NOON + 5000 })
  await add('to_complete', {})
  expect((await errorOf(await postAddress('to_complete', { shippingAddress: address, clientSecret: 'x' })))[0]).toBe(
    404,
  )
  expect((await errorOf(await postAddress('to_complete', {}))).slice(0, 2)).toEqual([400, 'bad_input'])
  expect((await postAddress('to_complete', { shippingAddress: { ...address, city: '' } })).status).toBe(400)
  const input = { shippingAddress: address, email: 'b@mail.example' }
  const complete = { shippingAddress: address, email: 'a@mail.example', addressMissing: false, message: null }
  expect(await (await postAddress('to_complete', input)).json()).toMatchObject(complete)
  const otherAddress = { ...address, line1: '2 Other Street' }
  expect((await errorOf(await postAddress('to_complete', { shippingAddress: otherAddress }))).slice(0, 2)).toEqual([
    409,
    'conflict',
  ])
  expect(await getAdminOrder(db, 'to_complete')).toMatchObject({
    addressMissing: false,
    addressAddedAt: new Date(NOON + 5000).toISOString(),
  })
  // An order without an email had no receipt yet.
  await add('without_mailbox', { email: null })
  expect((await postAddress('without_mailbox', { shippingAddress: address })).status).toBe(400)
  expect((await postAddress('without_mailbox', input)).status).toBe(200)
  const mails = await env.DB.prepare(
    `SELECT recipient FROM outbox WHERE dedupe_key IN ('receipt:to_complete', 'receipt:without_mailbox')`,
  ).all()
  expect(mails.results).toEqual([{ recipient: 'b@mail.example' }])
  // Shipped, refunded or unpaid orders need no address.
  await add('has_gone', { fulfilment: 'shipped' })
  await add('given_back', { status: 'refunded' })
  await add('not_paid', { status: 'expired', paidAt: null })
  for (const id of ['has_gone', 'given_back', 'not_paid']) expect((await postAddress(id, input)).status).toBe(409)
  // An erased buyer's address is erased after delivery.
  const { id: userId } = await addVerifiedUser('left')
  await add('of_one_gone', { userId })
  await env.DB.prepare('UPDATE users SET erased_at = ?1 WHERE id = ?2').bind(NOON, userId).run()
  expect((await postAddress('of_one_gone', input)).status).toBe(200)
  const eraseBuyersAt = env.DB.prepare(`SELECT id FROM orders WHERE forget_wanted_at IS NOT NULL AND product_id = ?`)
  expect((await eraseBuyersAt.bind(productId).all()).results).toEqual([{ id: 'of_one_gone' }])
})
