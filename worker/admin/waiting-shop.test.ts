import { env } from 'cloudflare:test'
import { beforeAll, expect, test } from 'vitest'
import { DAY_MS } from '../lib/clock'
import { send } from '../testing/client'
import { db } from '../testing/fixtures'
import { addProduct, DEMO_ENV, newBuyer } from '../testing/payments'
import { NOON, seedSite } from '../testing/seed'
import { cookieHeaderFor } from '../testing/users'
import { listWaiting } from './waiting'

beforeAll(() => seedSite(env.DB))

const waiting = async (id: string, at = NOON) => (await listWaiting(db, 'manager', at)).find((item) => item.id === id)

test('low stock follows the threshold of the settings', async () => {
  await addProduct(4)
  const before = (await waiting('merch.stock'))?.count ?? 0
  const headers = { cookie: await cookieHeaderFor('administrator') }
  const change = { currency: 'USD', lowStockThreshold: 4 }
  const response = await send('PATCH', '/api/admin/shop-settings', change, { at: NOON, headers, env: DEMO_ENV })
  expect(await response.json()).toMatchObject(change)
  expect((await waiting('merch.stock'))?.count).toBe(before + 1)
})

test('counts declined orders that stay unpaid', async () => {
  const [declined, paidLater] = [newBuyer(), newBuyer()]
  const [first, second] = [await declined.buy(await addProduct(5)), await paidLater.buy(await addProduct(5))]
  await declined.confirmCard(first, 'declined')
  await paidLater.confirmCard(second, 'declined')
  await paidLater.pay(second)
  expect((await waiting('orders.declined'))?.text).toBe('One order of the last two days ended with a declined card.')
  expect(await waiting('orders.declined', NOON + 3 * DAY_MS)).toBeUndefined()
})
