import { env } from 'cloudflare:test'
import { beforeAll, expect, test } from 'vitest'
import { DAY_MS } from '../lib/clock'
import { lowStock } from '../products/low-stock'
import { send } from '../testing/client'
import { db } from '../testing/fixtures'
import { addProduct, addVariants, DEMO_ENV, newBuyer } from '../testing/payments'
import { NOON, seedSite } from '../testing/seed'
import { cookieHeaderFor } from '../testing/users'
import { failedPayments } from './failed-payments'

beforeAll(() => seedSite(env.DB))

test('low stock follows the threshold of the settings', async () => {
  const [few, plenty] = [await addProduct(3), await addProduct(4)]
  const [small] = await addVariants(await addProduct(9), 'Size', ['S'], { stock: 0 })
  const names = async () =>
    (await lowStock(db))
      .filter(({ productId }) => productId.startsWith('product'))
      .map(({ variantId, stock }) => [variantId, stock])
  expect(await names()).toEqual([
    [small, 0],
    [`${few}-1`, 3],
  ])
  const headers = { cookie: await cookieHeaderFor('administrator') }
  const change = { lowStockThreshold: 4 }
  const response = await send('PATCH', '/api/admin/shop-settings', change, { at: NOON, headers, env: DEMO_ENV })
  expect(await response.json()).toMatchObject(change)
  expect(await names()).toContainEqual([`${plenty}-1`, 4])
})

test('lists declined orders that nobody has paid', async () => {
  const [declined, paidLater] = [newBuyer(), newBuyer()]
  const [first, second] = [await declined.buy(await addProduct(5)), await paidLater.buy(await addProduct(5))]
  await declined.confirmCard(first, 'declined')
  await paidLater.confirmCard(second, 'declined')
  await paidLater.pay(second)
  expect((await failedPayments(db, NOON - DAY_MS)).map(({ orderId, amountCents }) => [orderId, amountCents])).toEqual([
    [first.orderId, 2000],
  ])
  expect(await failedPayments(db, NOON + DAY_MS)).toEqual([])
})
