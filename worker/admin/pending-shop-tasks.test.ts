import { env } from 'cloudflare:test'
import { beforeAll, expect, test } from 'vitest'
import { DAY_MS } from '../lib/clock'
import { send } from '../testing/client'
import { db } from '../testing/fixtures'
import { addProduct, DEMO_ENV, newBuyer } from '../testing/payments'
import { NOON, seedSite } from '../testing/seed'
import { cookieHeaderFor } from '../testing/users'
import { listPendingTasks } from './pending-tasks'

beforeAll(() => seedSite(env.DB))

const taskOf = async (id: string, at = NOON) =>
  (await listPendingTasks(db, 'manager', at)).find((task) => task.id === id)

test('reports low stock by the configured threshold', async () => {
  await addProduct(4)
  const before = (await taskOf('merch.stock'))?.count ?? 0
  const headers = { cookie: await cookieHeaderFor('administrator') }
  const change = { currency: 'USD', lowStockThreshold: 4 }
  const response = await send('PATCH', '/api/admin/shop-settings', change, { at: NOON, headers, env: DEMO_ENV })
  expect(await response.json()).toMatchObject(change)
  expect((await taskOf('merch.stock'))?.count).toBe(before + 1)
})

test('counts unpaid orders with a declined card', async () => {
  const [declined, paidLater] = [newBuyer(), newBuyer()]
  const [first, second] = [await declined.buy(await addProduct(5)), await paidLater.buy(await addProduct(5))]
  await declined.confirmCard(first, 'declined')
  await paidLater.confirmCard(second, 'declined')
  await paidLater.pay(second)
  expect((await taskOf('orders.declined'))?.text).toBe('One unpaid order had a declined card in the last two days.')
  expect(await taskOf('orders.declined', NOON + 3 * DAY_MS)).toBeUndefined()
})
