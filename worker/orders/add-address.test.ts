import { env } from 'cloudflare:test'
import { beforeAll, expect, test } from 'vitest'
import { sha256 } from '../lib/secret'
import { addProduct, newBuyer } from '../testing/buyers'
import { refusal } from '../testing/client'
import { furnish, NOON } from '../testing/furnish'
import { addPerson } from '../testing/people'
import { db } from '../testing/rows'
import { deskOrder } from './desk'
import { orders } from './orders.table'

beforeAll(() => furnish(env.DB))

const address = { name: 'A Fan', line1: '1 Any Street', city: 'Tampa', state: 'FL', postalCode: '33602', country: 'US' }

test('the buyer of a paid order adds what it lacks, once, and cannot send elsewhere what has an address', async () => {
  const productId = await addProduct(9, 2000, true)
  const add = async (id: string, row: Partial<typeof orders.$inferInsert>) =>
    db.insert(orders).values({
      ...{ id, productId, quantity: 1, unitPriceCents: 2000, amountCents: 2000, status: 'paid', createdAt: NOON },
      ...{ paidAt: NOON, email: 'a@mail.example', clientSecretHash: await sha256('s'), ...row },
    })
  const { browser } = newBuyer()
  const give = (id: string, json: object) =>
    browser.send('POST', `/api/orders/${id}/address`, { clientSecret: 's', ...json }, { at: NOON + 5000 })
  await add('to_complete', {})
  expect((await refusal(await give('to_complete', { shippingAddress: address, clientSecret: 'x' })))[0]).toBe(404)
  expect((await refusal(await give('to_complete', {}))).slice(0, 2)).toEqual([400, 'bad_input'])
  expect((await give('to_complete', { shippingAddress: { ...address, city: '' } })).status).toBe(400)
  const given = { shippingAddress: address, email: 'b@mail.example' }
  const complete = { shippingAddress: address, email: 'a@mail.example', addressMissing: false, message: null }
  expect(await (await give('to_complete', given)).json()).toMatchObject(complete)
  const elsewhere = { ...address, line1: '2 Other Street' }
  expect((await refusal(await give('to_complete', { shippingAddress: elsewhere }))).slice(0, 2)).toEqual([
    409,
    'conflict',
  ])
  expect(await deskOrder(db, 'to_complete')).toMatchObject({
    addressMissing: false,
    addressAddedAt: new Date(NOON + 5000).toISOString(),
  })
  // What was paid without a mailbox had no receipt yet.
  await add('without_mailbox', { email: null })
  expect((await give('without_mailbox', { shippingAddress: address })).status).toBe(400)
  expect((await give('without_mailbox', given)).status).toBe(200)
  const mails = await env.DB.prepare(
    `SELECT recipient FROM outbox WHERE dedupe_key IN ('receipt:to_complete', 'receipt:without_mailbox')`,
  ).all()
  expect(mails.results).toEqual([{ recipient: 'b@mail.example' }])
  // Sent, given back, not paid: there is nothing to add.
  await add('has_gone', { fulfilment: 'shipped' })
  await add('given_back', { status: 'refunded' })
  await add('not_paid', { status: 'expired', paidAt: null })
  for (const id of ['has_gone', 'given_back', 'not_paid']) expect((await give(id, given)).status).toBe(409)
  // Of somebody who has left it is forgotten again once the parcel has arrived.
  const { id: userId } = await addPerson('left')
  await add('of_one_gone', { userId })
  await env.DB.prepare('UPDATE users SET erased_at = ?1 WHERE id = ?2').bind(NOON, userId).run()
  expect((await give('of_one_gone', given)).status).toBe(200)
  const forget = env.DB.prepare(`SELECT id FROM orders WHERE forget_wanted_at IS NOT NULL AND product_id = ?`)
  expect((await forget.bind(productId).all()).results).toEqual([{ id: 'of_one_gone' }])
})
