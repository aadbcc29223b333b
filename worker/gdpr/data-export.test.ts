import { env } from 'cloudflare:test'
import { beforeAll, expect, test } from 'vitest'
import { send } from '../testing/client'
import { db } from '../testing/fixtures'
import { NOON, seedSite } from '../testing/seed'
import { addNamedUser, browserWithSession } from '../testing/users'
import { exportUserData } from './data-export'

beforeAll(() => seedSite(env.DB))

const addOrder = (id: string, email: string, userId: number | null) =>
  env.DB.prepare(
    `INSERT INTO orders (id, product_id, quantity, unit_price_cents, amount_cents, status, created_at, user_id, email)
     SELECT ?1, id, 1, 1999, 1999, 'paid', ?2, ?3, ?4 FROM products LIMIT 1`,
  )
    .bind(id, NOON, userId, email)
    .run()

test('exports guest orders, city requests and provider customer id', async () => {
  const { id } = await addNamedUser('rosa', {
    email: 'Rosa@fan.example',
    ageConfirmedAt: NOON,
    ageWording: 'age-x',
  })
  const other = await addNamedUser('other')
  await addOrder('own', 'gift@else.example', id)
  await addOrder('as-guest', 'ROSA@fan.example', null)
  await addOrder('of-another', 'rosa@fan.example', other.id)
  await env.DB.prepare("INSERT INTO billing_customers (user_id, customer_id) VALUES (?, 'cus_rosa')").bind(id).run()
  const browser = await browserWithSession('rosa', { at: NOON })
  expect((await browser.send('POST', '/api/shows/city-requests', { entry: 'Ybor' })).status).toBe(202)
  await send('POST', '/api/shows/city-requests', { entry: 'Miami' }, { at: NOON })
  const response = await browser.send('GET', '/api/account/export')
  const file = await response.json<Record<string, Record<string, unknown>[]>>()
  expect(file.orders?.map((row) => row.id).sort()).toEqual(['as-guest', 'own'])
  expect(file.cityRequests).toEqual([{ city: 'Ybor', created_at: new Date(NOON).toISOString() }])
  expect(file.paymentProvider).toEqual([{ customer_id: 'cus_rosa', trial_used_at: null }])
  expect(file.account?.[0]).toMatchObject({ age_wording: 'age-x', age_confirmed_at: new Date(NOON).toISOString() })
})

test('leaves out guest orders of an unconfirmed address', async () => {
  await addOrder('of-a-stranger', 'stranger@fan.example', null)
  const { id } = await addNamedUser('squat', { email: 'stranger@fan.example', emailVerifiedAt: null })
  const file = (await exportUserData({ db, secret: 'x'.repeat(32) }, id, NOON)) as { orders: unknown[] }
  expect(file.orders).toEqual([])
})
