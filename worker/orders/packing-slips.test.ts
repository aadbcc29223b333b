import { env } from 'cloudflare:test'
import { beforeAll, expect, test } from 'vitest'
import type { PackingSlip } from '../contract/orders'
import { send } from '../testing/client'
import { ADDRESS, addOrder, addProduct, DEMO_ENV, variantOf } from '../testing/payments'
import { NOON, seedSite } from '../testing/seed'
import { cookieHeaderFor } from '../testing/users'

let cookie: string
beforeAll(async () => {
  await seedSite(env.DB)
  cookie = await cookieHeaderFor('administrator')
})

const requestPackingSlips = (orders: string[]) =>
  send('POST', '/api/admin/packing-slips', { orders }, { at: NOON, headers: { cookie }, env: DEMO_ENV })
const auditActionsOf = async (id: string) =>
  (
    await env.DB.prepare('SELECT action FROM audit_log WHERE subject = ?').bind(`order:${id}`).all<{ action: string }>()
  ).results.map(({ action }) => action)

test('packing slips show contents and masked email; printing is audited', async () => {
  const [bundle, shirt] = [await addProduct(5, 2000, true), await addProduct(9, 1000, true)]
  await env.DB.prepare('INSERT INTO bundle_items (bundle_variant_id, variant_id, quantity) VALUES (?1, ?2, 2)')
    .bind(variantOf(bundle), variantOf(shirt))
    .run()
  const paid = { status: 'paid', paidAt: NOON, email: 'a@mail.example' } as const
  await addOrder({ id: 'slip_a', productId: bundle, shippingAddress: ADDRESS, ...paid })
  await addOrder({ id: 'slip_b', productId: shirt, ...paid })
  const slips = (await (await requestPackingSlips(['slip_b', 'slip_a', 'unknown'])).json()) as PackingSlip[]
  expect(slips.map(({ order, shippingAddress }) => [order.id, shippingAddress?.line1])).toEqual([
    ['slip_b', undefined],
    ['slip_a', ADDRESS.line1],
  ])
  expect(slips[1]?.order.lines[0]?.items).toMatchObject([{ quantity: 2 }])
  expect(slips[1]?.order.email).toBe('a…@mail.example')
  expect([await auditActionsOf('slip_a'), await auditActionsOf('slip_b')]).toEqual([
    ['order.printed'],
    ['order.printed'],
  ])
  expect((await requestPackingSlips(['unknown'])).status).toBe(404)
})
