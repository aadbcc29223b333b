import { asc, desc, eq, sql } from 'drizzle-orm'
import { users } from '../auth/users.table'
import type { Overview } from '../contract/overview'
import { TIERS } from '../contract/site'
import type { Db } from '../db/client'
import { DAY, type Millis } from '../lib/clock'
import { orders } from '../orders/orders.table'
import { tracks } from '../tracks/tracks.table'

const TOP_TRACKS = 5

/** How many supporters each tier has at `at` and had 30 days before. */
export const supportersByTier = (db: Db, at: Millis) =>
  db
    .select({
      tier: users.tier,
      now: sql<number>`count(*)`,
      before: sql<number>`sum(${users.createdAt} <= ${at - 30 * DAY})`,
    })
    .from(users)
    .where(sql`role = 'supporter' and is_demo_login = 0 and erased_at is null`)
    .groupBy(users.tier)

/** The cents of all paid orders. */
export const revenue = (db: Db) =>
  db
    .select({ cents: sql<number>`coalesce(sum(${orders.amountCents}), 0)` })
    .from(orders)
    .where(eq(orders.status, 'paid'))

/** The desk's figures in one round trip. Nothing is kept: a figure is what the rows say now (ruling 3). */
export async function overview(db: Db, at: Millis): Promise<Overview> {
  const [byTier, [plays], [paid], topTracks] = await db.batch([
    supportersByTier(db, at),
    db.select({ sum: sql<number>`coalesce(sum(${tracks.plays}), 0)` }).from(tracks),
    revenue(db),
    db
      .select({
        id: tracks.id,
        title: tracks.title,
        artist: tracks.artist,
        plays: tracks.plays,
        likes: tracks.likes,
        coverUrl: tracks.coverUrl,
      })
      .from(tracks)
      .orderBy(desc(tracks.plays), asc(tracks.id))
      .limit(TOP_TRACKS),
  ])
  const counts = TIERS.map((tier) => byTier.find((row) => row.tier === tier)?.now ?? 0)
  const supporters = counts.reduce((sum, one) => sum + one, 0)
  const before = byTier.reduce((sum, row) => sum + row.before, 0)
  const [bronze = 0, silver = 0, gold = 0] = wholePercents(counts)
  return {
    supporters,
    streams: plays?.sum ?? 0,
    revenueCents: paid?.cents ?? 0,
    growthPercent: before === 0 ? null : Math.round(((supporters - before) * 1000) / before) / 10,
    tiers: { bronze, silver, gold },
    topTracks,
  }
}

/** Shares in whole per cent that add up to 100: rounded down, and what is missing goes to the largest remainders. */
export function wholePercents(counts: readonly number[]): number[] {
  const total = counts.reduce((sum, one) => sum + one, 0)
  if (total === 0) return counts.map(() => 0)
  const exact = counts.map((one) => (one * 100) / total)
  const missing = 100 - exact.reduce((sum, one) => sum + Math.floor(one), 0)
  const byRemainder = exact.map((one, index) => ({ index, rest: one % 1 })).sort((a, b) => b.rest - a.rest)
  const raised = new Set(byRemainder.slice(0, missing).map(({ index }) => index))
  return exact.map((one, index) => Math.floor(one) + (raised.has(index) ? 1 : 0))
}
