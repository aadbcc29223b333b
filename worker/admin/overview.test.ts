import { env } from 'cloudflare:test'
import { eq, type SQL } from 'drizzle-orm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Overview } from '../contract/admin'
import { openDb } from '../db/client'
import { dayRange } from '../db/day-range'
import { DAY_MS } from '../lib/clock'
import { orders } from '../orders/orders.table'
import { products } from '../products/products.table'
import { site } from '../site/site.table'
import { addTrack, addUser, db, queryPlan } from '../testing/fixtures'
import { NOON, seedSite } from '../testing/seed'
import { spyOnD1 } from '../testing/stores'
import { countStreams } from '../tracks/streams'
import { trackDays } from '../tracks/tracks.table'
import { users } from '../users/users.table'
import { loadMetrics } from './metrics'
import { loadOverview, revenueUntilEndOfDay, signupsUntilEndOfDay, wholePercents } from './overview'
import { supporterDays } from './overview.table'

const readOverview = async () => Overview.parse(await loadOverview(db, NOON))

test('returns zeros without data', async () => {
  expect(await readOverview()).toMatchObject({
    supporters: 0,
    streams: 0,
    revenueCents: 0,
    growthPercent: null,
    tiers: { bronze: 0, silver: 0, gold: 0 },
    changes: { supporters: { last30: 0, before30: 0 }, streams: { last30: 0, before30: 0 } },
    cities: [],
    topTracks: [],
  })
})

const buildOrderRow = (id: string, status: typeof orders.$inferInsert.status, amountCents: number) => ({
  id,
  productId: 'clip',
  quantity: 1,
  unitPriceCents: amountCents,
  amountCents,
  status,
  createdAt: 0,
})

test('sums supporters, plays and revenue', async () => {
  for (const tier of ['bronze', 'bronze', 'silver'] as const) await addUser({ tier, createdAt: NOON - 30 * DAY_MS })
  await addUser({ tier: 'gold', createdAt: NOON - 30 * DAY_MS + 1 })
  await addUser({ role: 'administrator' })
  await addUser({ isDemoLogin: true, tier: 'gold' })
  await addUser({ erasedAt: 1 })
  await db
    .insert(products)
    .values({ id: 'clip', slug: 'clip', name: '', description: '', priceCents: 1, stock: 0, position: 1 })
  for (const row of [
    buildOrderRow('o1', 'paid', 1999),
    buildOrderRow('o2', 'paid', 8900),
    buildOrderRow('o3', 'pending', 100),
    buildOrderRow('o4', 'refunded', 100),
    buildOrderRow('o5', 'failed', 100),
    buildOrderRow('o6', 'expired', 100),
  ])
    await db.insert(orders).values(row)
  for (let id = 1; id <= 7; id++) {
    await addTrack({ id, title: `Track ${id}` })
    await db.insert(trackDays).values({ trackId: id, day: '2026-06-01', plays: id === 7 ? 60 : id * 10 })
  }
  const result = await readOverview()
  expect(result).toMatchObject({
    supporters: 4,
    streams: 270,
    revenueCents: 10_899,
    growthPercent: 33.3,
    tiers: { bronze: 50, silver: 25, gold: 25 },
  })
  expect(result.topTracks.map(({ id, plays }) => [id, plays])).toEqual([
    [6, 60],
    [7, 60],
    [5, 50],
    [4, 40],
    [3, 30],
  ])
})

test('updates only the metric that changed', async () => {
  const before = await readOverview()
  await db.update(orders).set({ status: 'paid' }).where(eq(orders.id, 'o3'))
  expect(await readOverview()).toEqual({ ...before, revenueCents: before.revenueCents + 100 })
  await db.update(orders).set({ status: 'refunded' }).where(eq(orders.id, 'o3'))
  expect(await readOverview()).toEqual(before)
  await db.update(orders).set({ status: 'paid', paidAt: NOON }).where(eq(orders.id, 'o3'))
  const paid = await readOverview()
  expect(paid.changes.revenueCents).toEqual({ last30: 100, before30: 0 })
  await countStreams(db, [{ kind: 'stream', listener: 'v1', trackId: 7, startedAt: NOON, countedAt: NOON }])
  const played = await readOverview()
  expect([played.streams, played.topTracks[0]]).toMatchObject([before.streams + 1, { id: 7, plays: 61 }])
  await addUser({ createdAt: NOON })
  expect(await readOverview()).toMatchObject({
    supporters: 5,
    growthPercent: 66.7,
    tiers: { bronze: 60, silver: 20, gold: 20 },
  })
})

test('updates after a change of tier or role, or erasure', async () => {
  const before = await readOverview()
  const user = await addUser({ tier: 'bronze', createdAt: NOON - 40 * DAY_MS })
  const update = (values: Partial<typeof users.$inferInsert>) =>
    db.update(users).set(values).where(eq(users.id, user.id))
  expect((await readOverview()).changes.supporters).toEqual({
    last30: before.changes.supporters.last30,
    before30: before.changes.supporters.before30 + 1,
  })
  await update({ tier: 'gold' })
  expect((await readOverview()).supporters).toBe(before.supporters + 1)
  expect((await db.select().from(supporterDays)).reduce((sum, { supporters }) => sum + supporters, 0)).toBe(
    before.supporters + 1,
  )
  await update({ role: 'administrator' })
  expect(await readOverview()).toEqual(before)
  await update({ role: 'supporter' })
  expect((await readOverview()).supporters).toBe(before.supporters + 1)
  await update({ erasedAt: NOON })
  expect(await readOverview()).toEqual(before)
})

test('reads no more rows with a thousand more supporters', async () => {
  const reads = async () => {
    const { DB, rowsRead } = spyOnD1(env.DB)
    await loadOverview(openDb(DB), NOON)
    return rowsRead()
  }
  const before = await reads()
  const values = Array.from({ length: 1000 }, (_, i) => `('load-user${i}', 'load-user${i}', ${NOON}, ${NOON})`)
  await env.DB.prepare(
    `INSERT INTO users (username, username_key, created_at, last_active_at) VALUES ${values.join(',')}`,
  ).run()
  expect((await readOverview()).supporters).toBeGreaterThan(1000)
  expect(before).toBeGreaterThan(0)
  expect(await reads()).toBeLessThanOrEqual(before * 1.2)
})

test('uses indexes for counts without a stored sum', async () => {
  const planOf = async (query: SQL) => (await queryPlan(db.run(query).getQuery())).join('\n')
  expect(await planOf(signupsUntilEndOfDay(NOON))).toContain('USING INDEX users_supporters')
  expect(await planOf(revenueUntilEndOfDay(NOON))).toContain('COVERING INDEX orders_revenue')
})

test('rounds percentages to a sum of 100', () => {
  expect(wholePercents([11_093, 3_962, 792])).toEqual([70, 25, 5])
  expect(wholePercents([1, 1, 1])).toEqual([34, 33, 33])
  fc.assert(
    fc.property(fc.array(fc.nat(1_000_000), { minLength: 1, maxLength: 6 }), (counts) => {
      const total = counts.reduce((sum, count) => sum + count, 0)
      fc.pre(total > 0)
      const shares = wholePercents(counts)
      expect(shares.reduce((sum, count) => sum + count, 0)).toBe(100)
      shares.forEach((share, index) => {
        expect(Math.abs(share - (counts[index]! * 100) / total)).toBeLessThan(1)
      })
    }),
  )
})

test.each([
  // A zone, and when its last 30 days and the 30 days before them begin. In Kiritimati, `now` is already July 2.
  ['Pacific/Kiritimati', '2026-06-02T10:00:00Z', '2026-05-03T10:00:00Z'],
  ['Pacific/Pago_Pago', '2026-06-02T11:00:00Z', '2026-05-03T11:00:00Z'],
])('overview and metrics count the same days in %s', async (zone, last30StartsAt, before30StartsAt) => {
  if ((await db.$count(site)) === 0) await seedSite(env.DB)
  await db.update(site).set({ timeZone: zone })
  const [last30Start, before30Start] = [Date.parse(last30StartsAt), Date.parse(before30StartsAt)]
  const now = Date.parse('2026-07-01T12:00:00Z')
  const KEYS = ['supporters', 'streams', 'revenueCents'] as const
  const read = async () => {
    const { changes } = await loadOverview(db, now)
    const { days, before: earlier } = await loadMetrics(db, dayRange({ days: '30' }, zone, now))
    const sumOf = (rows: typeof days, key: (typeof KEYS)[number]) => rows.reduce((sum, row) => sum + row[key], 0)
    return KEYS.map((key) => [
      changes[key].last30,
      changes[key].before30,
      sumOf(days, key),
      sumOf(earlier, key),
      days[0]?.[key] ?? 0,
      earlier[0]?.[key] ?? 0,
    ])
  }
  const empty = await read()
  for (const [index, at] of [before30Start - 1, before30Start, last30Start - 1, last30Start, now].entries()) {
    const id = `${zone} ${index}`
    await addUser({ createdAt: at })
    await db.insert(orders).values({ ...buildOrderRow(id, 'paid', 100), paidAt: at })
    await countStreams(db, [{ kind: 'stream', listener: id, trackId: 7, startedAt: at, countedAt: at }])
  }
  const added = (await read()).map((row, key) => row.map((sum, i) => sum - (empty[key]?.[i] ?? 0)))
  // Two rows in each period, one of them on its first day. An order is 100 cents.
  const counts = [2, 2, 2, 2, 1, 1]
  expect(added).toEqual([counts, counts, counts.map((count) => count * 100)])
})
