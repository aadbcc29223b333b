import { env } from 'cloudflare:test'
import { expect, test } from 'vitest'
import { Metrics } from '../contract/metrics'
import { dayRange } from '../db/day-range'
import { orders } from '../orders/orders.table'
import { products } from '../products/products.table'
import { send } from '../testing/client'
import { addTrack, addUser, db, queryPlan } from '../testing/fixtures'
import { NOON, seedSite } from '../testing/seed'
import { cookieHeaderFor } from '../testing/users'
import { trackDays } from '../tracks/tracks.table'
import { loadMetrics, revenuePerDay, signupsPerDay, streamsPerDay } from './metrics'

const NEW_YORK = 'America/New_York'
const timeOf = (iso: string) => Date.parse(iso)

test('counts each day in the artist’s time zone', async () => {
  await db
    .insert(products)
    .values({ id: 'clip', slug: 'clip', name: '', description: '', priceCents: 1, stock: 0, position: 1 })
  const addPaidOrder = (id: string, paidAt: number, refundedCents = 0) =>
    db.insert(orders).values({
      id,
      productId: 'clip',
      quantity: 1,
      unitPriceCents: 1000,
      amountCents: 1000,
      refundedCents,
      status: 'paid',
      createdAt: paidAt,
      paidAt,
    })
  await addPaidOrder('late', timeOf('2026-07-01T03:59:59.999Z'), 200)
  await addPaidOrder('early', timeOf('2026-07-01T04:00:00Z'))
  await addUser({ createdAt: timeOf('2026-07-01T03:59:00Z') })
  await addUser({ createdAt: timeOf('2026-07-01T04:00:00Z') })
  await addUser({ createdAt: timeOf('2026-07-01T04:00:00Z'), role: 'administrator' })
  await addTrack({ id: 1 })
  await db.insert(trackDays).values({ trackId: 1, day: '2026-06-24', plays: 9 })
  const metrics = Metrics.parse(await loadMetrics(db, dayRange({ days: '7' }, NEW_YORK, NOON)))
  expect(metrics.days.slice(-2)).toEqual([
    { day: '2026-06-30', supporters: 1, streams: 0, revenueCents: 800 },
    { day: '2026-07-01', supporters: 1, streams: 0, revenueCents: 1000 },
  ])
  expect(metrics.before.at(-1)).toEqual({ day: '2026-06-24', supporters: 0, streams: 9, revenueCents: 0 })
})

test('uses indexes for the metrics of a range', async () => {
  const { days } = dayRange({ days: '7' }, 'UTC', NOON)
  const planOf = async (query: ReturnType<typeof signupsPerDay>) =>
    (await queryPlan(db.run(query).getQuery())).join('\n')
  expect(await planOf(signupsPerDay(days))).toContain('INDEX users_supporters')
  expect(await planOf(revenuePerDay(days))).toContain('COVERING INDEX orders_revenue')
  expect(await planOf(streamsPerDay('2026-06-01', '2026-06-30'))).toContain('COVERING INDEX track_days_by_day')
})

test('serves a preset range that ends today', async () => {
  await seedSite(env.DB)
  const headers = { cookie: await cookieHeaderFor('administrator') }
  const response = await send('GET', '/api/admin/metrics?days=90', undefined, { at: NOON, headers })
  const metrics = Metrics.parse(await response.json())
  expect([metrics.days.length, metrics.today]).toEqual([90, '2026-07-01'])
  expect((await send('GET', '/api/admin/metrics?days=1', undefined, { at: NOON, headers })).status).toBe(400)
})
