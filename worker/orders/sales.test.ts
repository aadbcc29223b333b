import { env } from 'cloudflare:test'
import { sql } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import type { Sales } from '../contract/sales'
import { DAY_MS } from '../lib/clock'
import { countViews } from '../products/product-views'
import { send } from '../testing/client'
import { db } from '../testing/fixtures'
import { ADDRESS, addOrder, addProduct, DEMO_ENV } from '../testing/payments'
import { NOON, seedSite } from '../testing/seed'
import { cookieHeaderFor } from '../testing/users'
import { orderLines, orderRefunds, type orders } from './orders.table'

// NOON is noon on July 1, 2026 in New York, the artist's time zone.
const READ_AT = NOON + 60_000
let cookie: string
let productId: string
beforeAll(async () => {
  await seedSite(env.DB)
  await env.DB.prepare("UPDATE site SET time_zone = 'America/New_York'").run()
  cookie = await cookieHeaderFor('administrator')
  productId = await addProduct(50, 2000, true)
  await env.DB.prepare(
    `INSERT INTO shipping_zones (id, name, kind, countries, methods, position)
     VALUES ('us', 'United States', 'shipping', '["US"]', '[{"id":"m1","name":"Standard"}]', 1)`,
  ).run()
})

const readSales = async (query = '?days=7') =>
  (await send('GET', `/api/admin/sales${query}`, undefined, {
    at: READ_AT,
    headers: { cookie },
    env: DEMO_ENV,
  }).then((response) => response.json())) as Sales
const addSale = (id: string, row: Partial<typeof orders.$inferInsert> = {}) =>
  addOrder({ id, productId, status: 'paid', paidAt: NOON, email: 'a@mail.example', shippingAddress: ADDRESS, ...row })
const lineOf = async (orderId: string) =>
  (await db.select().from(orderLines)).find((line) => line.orderId === orderId)?.id ?? ''
const revenueOf = ({ days, before }: Sales, day: string) =>
  [...days, ...before].find((sales) => sales.day === day)?.revenueCents
const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10)

test('a refund reduces the revenue of the refund’s day', async () => {
  await addSale('sale', { paidAt: NOON - 2 * DAY_MS })
  await addSale('refunded', { paidAt: NOON - 3 * DAY_MS, status: 'refunded', refundedCents: 2000, refundedAt: NOON })
  // Paid too late and refunded: neither a sale nor a refund.
  await addSale('paid-late', { status: 'refunded', refundReason: 'late', refundedCents: 2000, refundedAt: NOON })
  await addSale('partly', { paidAt: NOON - 2 * DAY_MS, quantity: 2, amountCents: 4000, refundedCents: 1500 })
  await db.insert(orderRefunds).values({
    id: 'r1',
    orderId: 'partly',
    amountCents: 1500,
    shippingCents: 0,
    lines: [{ lineId: await lineOf('partly'), quantity: 1, cents: 1500, restock: false }],
    requestedAt: NOON - DAY_MS,
    sentAt: NOON - DAY_MS,
  })
  const sales = await readSales()
  expect(revenueOf(sales, dayOf(NOON - 3 * DAY_MS))).toBe(2000)
  expect(revenueOf(sales, dayOf(NOON - 2 * DAY_MS))).toBe(6000)
  expect(revenueOf(sales, dayOf(NOON - DAY_MS))).toBe(-1500)
  expect(revenueOf(sales, dayOf(NOON))).toBe(-2000)
  expect(sales.products.find(({ id }) => id === productId)).toMatchObject({
    revenueCents: { now: 4500, before: 0 },
    units: { now: 2 },
    orders: { now: 3 },
  })
})

test('a dispute reduces the revenue by day and by product', async () => {
  const disputedProduct = await addProduct(50, 2000)
  const sell = (id: string, row: Partial<typeof orders.$inferInsert>) =>
    addSale(id, { productId: disputedProduct, paidAt: NOON - 60 * DAY_MS, disputedAt: NOON - 59 * DAY_MS, ...row })
  await sell('lost', { status: 'refunded', refundReason: 'disputed', disputedCents: 2000 })
  await sell('won', { disputedCents: 2000, disputeWonAt: NOON - 58 * DAY_MS })
  await sell('lost-again', { status: 'refunded', disputedCents: 2000, disputeWonAt: NOON - 60 * DAY_MS })
  await sell('partly-lost', { unitPriceCents: 5000, amountCents: 5000, disputedCents: 1250 })
  await db.run(sql`UPDATE order_lines SET quantity = 2, unit_price_cents = 2000 WHERE order_id = 'partly-lost'`)
  const sales = await readSales(`?from=${dayOf(NOON - 60 * DAY_MS)}&to=${dayOf(NOON - 58 * DAY_MS)}`)
  expect([60, 59, 58].map((day) => revenueOf(sales, dayOf(NOON - day * DAY_MS)))).toEqual([11_000, -7250, 2000])
  // Four fifths of the last order's payment are for its line; the rest is shipping.
  expect(sales.products.find(({ id }) => id === disputedProduct)).toMatchObject({
    revenueCents: { now: 2000 + 4000 - 1000 },
    units: { now: 1 + 2 },
    orders: { now: 4 },
  })
})

test('days begin at midnight in the artist’s time zone', async () => {
  // 3:30 AM UTC is the evening before in New York.
  const evening = Date.parse(`${dayOf(NOON - 20 * DAY_MS)}T03:30:00Z`)
  await addSale('evening', { paidAt: evening })
  const day = dayOf(NOON - 21 * DAY_MS)
  expect(revenueOf(await readSales(`?from=${day}&to=${day}`), day)).toBe(2000)
})

test('groups by shipping zone and compares with the range before', async () => {
  const method = { id: 'm1', name: 'Standard', priceCents: 0 } as never
  const [from, to] = [dayOf(NOON - 40 * DAY_MS), dayOf(NOON - 39 * DAY_MS)]
  await addSale('zone_now', { paidAt: NOON - 40 * DAY_MS, shippingMethod: method })
  await addSale('zone_before', { paidAt: NOON - 41 * DAY_MS, shippingMethod: method })
  expect((await readSales(`?from=${from}&to=${to}`)).zones).toEqual([
    { name: 'United States', revenueCents: { now: 2000, before: 2000 }, orders: { now: 1, before: 1 } },
  ])
})

test('counts each view message once and ignores unknown products', async () => {
  const view = (id: string, at = NOON) => ({ id, productId, at })
  await countViews(db, [view('m1'), view('m2'), { id: 'm3', productId: 'nothing', at: NOON }])
  await countViews(db, [view('m2'), view('m4', NOON - DAY_MS)])
  const sales = await readSales()
  expect(sales.days.slice(-2).map(({ views }) => views)).toEqual([1, 2])
  expect(sales.products.find(({ id }) => id === productId)?.views).toEqual({ now: 3, before: 0 })
})

test('a view’s queue message contains no visitor data', async () => {
  const bodies: unknown[] = []
  const JOBS = { send: async (body: unknown) => void bodies.push(body) } as never
  const response = await send('POST', '/api/views', { productId }, { at: NOON, env: { ...DEMO_ENV, JOBS } })
  expect([response.status, response.headers.get('set-cookie')]).toEqual([204, null])
  expect(bodies).toEqual([{ kind: 'view', productId, at: NOON }])
})
