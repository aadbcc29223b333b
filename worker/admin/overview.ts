import { asc, desc, isNull, type SQL, sql } from 'drizzle-orm'
import { cityDemandQuery } from '../concerts/city-requests'
import type { Overview } from '../contract/admin'
import { TIERS } from '../contract/site'
import type { RangeDay } from '../db/artist-calendar'
import { artistTimeZone } from '../db/artist-calendar'
import type { Db } from '../db/client'
import { dayRange } from '../db/day-range'
import { DAY_MS, type Millis, utcDay } from '../lib/clock'
import { tracks } from '../tracks/tracks.table'
import { revenueDays, supporterDays } from './overview.table'

const TOP_TRACKS = 5
const TOP_CITIES = 10
const PERIOD_DAYS = 30

const endOfUtcDay = (at: Millis) => (Math.floor(at / DAY_MS) + 1) * DAY_MS

const supportersByTier = (db: Db) =>
  db
    .select({ tier: supporterDays.tier, supporters: sql<number>`sum(${supporterDays.supporters})` })
    .from(supporterDays)
    .groupBy(supporterDays.tier)

/** Supporters who signed up from `at` until the end of its UTC day. Listing all tiers uses an index. */
export const signupsUntilEndOfDay = (at: Millis): SQL =>
  sql`SELECT count(*) FROM users WHERE role = 'supporter' AND is_demo_login = 0 AND erased_at IS NULL
    AND tier IN ('bronze', 'silver', 'gold') AND created_at >= ${at} AND created_at < ${endOfUtcDay(at)}`

/** Revenue paid from `at` until the end of its UTC day. */
export const revenueUntilEndOfDay = (at: Millis): SQL =>
  sql`SELECT coalesce(sum(amount_cents - refunded_cents), 0) FROM orders
    WHERE status = 'paid' AND paid_at >= ${at} AND paid_at < ${endOfUtcDay(at)}`

// Stored sums are per UTC day. The artist's day begins within one, so the rest of that UTC day is counted from rows.
const signupsSince = (at: Millis): SQL =>
  sql`(SELECT coalesce(sum(people), 0) FROM supporter_days WHERE day > ${utcDay(at)}) + (${signupsUntilEndOfDay(at)})`
const revenueSince = (at: Millis): SQL =>
  sql`(SELECT coalesce(sum(cents), 0) FROM revenue_days WHERE day > ${utcDay(at)}) + (${revenueUntilEndOfDay(at)})`
const streamsSince = (day: string): SQL => sql`(SELECT coalesce(sum(plays), 0) FROM track_days WHERE day >= ${day})`

/** Sign-ups, streams and revenue since the start of a day. */
const additionsSince = (db: Db, { day, beginsAt }: RangeDay) =>
  db
    .select({
      supporters: sql<number>`${signupsSince(beginsAt)}`.as('supporters'),
      streams: sql<number>`${streamsSince(day)}`.as('streams'),
      revenueCents: sql<number>`${revenueSince(beginsAt)}`.as('cents'),
    })
    .from(sql`(SELECT 1)`)

/**
 * The dashboard's metrics. They come from sums that triggers update, so reads do not grow with users. Changes compare
 * the artist's last 30 days, including today, with the 30 days before; growth compares with exactly 30 days ago.
 */
export async function loadOverview(db: Db, at: Millis): Promise<Overview> {
  const { days, before } = dayRange({ days: String(PERIOD_DAYS) }, await artistTimeZone(db), at)
  const monthAgo = at - PERIOD_DAYS * DAY_MS
  const [byTier, [plays], [revenue], topTracks, [last30], [last60], [sinceMonthAgo], cities] = await db.batch([
    supportersByTier(db),
    db.select({ sum: sql<number>`coalesce(sum(${tracks.plays}), 0)` }).from(tracks),
    db.select({ cents: sql<number>`coalesce(sum(${revenueDays.cents}), 0)` }).from(revenueDays),
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
      .where(isNull(tracks.removedAt))
      .orderBy(desc(tracks.plays), asc(tracks.id))
      .limit(TOP_TRACKS),
    additionsSince(db, days[0] as RangeDay),
    additionsSince(db, before[0] as RangeDay),
    // Plus 1 ms: a sign-up exactly 30 days ago counts as earlier.
    db.select({ supporters: sql<number>`${signupsSince(monthAgo + 1)}`.as('supporters') }).from(sql`(SELECT 1)`),
    cityDemandQuery(db, TOP_CITIES),
  ])
  const counts = TIERS.map((tier) => byTier.find((row) => row.tier === tier)?.supporters ?? 0)
  const supporters = sum(counts)
  const supportersBefore = supporters - (sinceMonthAgo?.supporters ?? 0)
  const [bronze = 0, silver = 0, gold = 0] = wholePercents(counts)
  const change = (key: 'supporters' | 'streams' | 'revenueCents') => {
    const recent = last30?.[key] ?? 0
    return { last30: recent, before30: (last60?.[key] ?? 0) - recent }
  }
  return {
    supporters,
    streams: plays?.sum ?? 0,
    revenueCents: revenue?.cents ?? 0,
    growthPercent:
      supportersBefore === 0 ? null : Math.round(((supporters - supportersBefore) * 1000) / supportersBefore) / 10,
    tiers: { bronze, silver, gold },
    changes: { supporters: change('supporters'), streams: change('streams'), revenueCents: change('revenueCents') },
    cities,
    topTracks,
  }
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

/** Percentages that sum to 100 (all 0 without counts), rounded by the largest remainder method. */
export function wholePercents(counts: readonly number[]): number[] {
  const total = sum(counts)
  if (total === 0) return counts.map(() => 0)
  const exact = counts.map((count) => (count * 100) / total)
  const missing = 100 - sum(exact.map(Math.floor))
  const byRemainder = exact
    .map((value, index) => ({ index, remainder: value % 1 }))
    .sort((a, b) => b.remainder - a.remainder)
  const roundedUp = new Set(byRemainder.slice(0, missing).map(({ index }) => index))
  return exact.map((value, index) => Math.floor(value) + (roundedUp.has(index) ? 1 : 0))
}
