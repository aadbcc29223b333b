import { asc, desc, gte, isNull, sql } from 'drizzle-orm'
import { cityDemand } from '../concerts/city-requests'
import type { Overview } from '../contract/admin'
import { TIERS } from '../contract/site'
import type { Db } from '../db/client'
import { DAY_MS, type Millis } from '../lib/clock'
import { trackDays, tracks } from '../tracks/tracks.table'
import { users } from '../users/users.table'
import { revenueDays, supporterDays } from './overview.table'

const TOP_TRACKS = 5
const TOP_CITIES = 10
const PERIOD_DAYS = 30

const dayOf = (at: Millis) => new Date(at).toISOString().slice(0, 10)

/** Supporters of each tier: all of them, and those who signed up before `day`. */
const supportersByTier = (db: Db, day: string) =>
  db
    .select({
      tier: supporterDays.tier,
      now: sql<number>`sum(${supporterDays.supporters})`,
      before: sql<number>`sum(iif(${supporterDays.day} < ${day}, ${supporterDays.supporters}, 0))`,
    })
    .from(supporterDays)
    .groupBy(supporterDays.tier)

/** Number of supporters who signed up on the day of `at`, up to `at`. The daily sums cover whole days only. */
export const supportersSignedUpOnDay = (db: Db, at: Millis) =>
  db
    .select({ count: sql<number>`count(*)` })
    .from(users)
    .where(
      sql`role = 'supporter' and is_demo_login = 0 and erased_at is null and tier in ('bronze', 'silver', 'gold')
        and ${users.createdAt} between ${Math.floor(at / DAY_MS) * DAY_MS} and ${at}`,
    )

const signupsByDay = (db: Db, since: string) =>
  db
    .select({ day: supporterDays.day, sum: sql<number>`sum(${supporterDays.supporters})` })
    .from(supporterDays)
    .where(gte(supporterDays.day, since))
    .groupBy(supporterDays.day)

export const playsByDay = (db: Db, since: string) =>
  db
    .select({ day: trackDays.day, sum: sql<number>`sum(${trackDays.plays})` })
    .from(trackDays)
    .where(gte(trackDays.day, since))
    .groupBy(trackDays.day)

const revenueByDay = (db: Db, since: string) =>
  db.select({ day: revenueDays.day, sum: revenueDays.cents }).from(revenueDays).where(gte(revenueDays.day, since))

/** The dashboard's metrics in one round trip. They come from sums updated by triggers, so reads do not grow with users. */
export async function loadOverview(db: Db, at: Millis): Promise<Overview> {
  const since = dayOf(at - (2 * PERIOD_DAYS - 1) * DAY_MS)
  const monthAgo = at - PERIOD_DAYS * DAY_MS
  const [byTier, [cutoffDay], [plays], [revenue], topTracks, signupRows, playRows, revenueRows, cities] =
    await db.batch([
      supportersByTier(db, dayOf(monthAgo)),
      supportersSignedUpOnDay(db, monthAgo),
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
      signupsByDay(db, since),
      playsByDay(db, since),
      revenueByDay(db, since),
      cityDemand(db, TOP_CITIES),
    ])
  const counts = TIERS.map((tier) => byTier.find((row) => row.tier === tier)?.now ?? 0)
  const supporters = sum(counts)
  const before = byTier.reduce((sum, row) => sum + row.before, cutoffDay?.count ?? 0)
  const [bronze = 0, silver = 0, gold = 0] = wholePercents(counts)
  const days = Array.from({ length: 2 * PERIOD_DAYS }, (_, i) => dayOf(at - (2 * PERIOD_DAYS - 1 - i) * DAY_MS))
  const perDay = (rows: readonly { day: string; sum: number }[]) => {
    const sums = new Map(rows.map(({ day, sum }) => [day, sum]))
    return days.map((day) => sums.get(day) ?? 0)
  }
  const [signups, streams, revenueCents] = [perDay(signupRows), perDay(playRows), perDay(revenueRows)]
  return {
    supporters,
    streams: plays?.sum ?? 0,
    revenueCents: revenue?.cents ?? 0,
    growthPercent: before === 0 ? null : Math.round(((supporters - before) * 1000) / before) / 10,
    tiers: { bronze, silver, gold },
    changes: {
      supporters: periodChange(signups),
      streams: periodChange(streams),
      revenueCents: periodChange(revenueCents),
    },
    trend: days.slice(PERIOD_DAYS).map((day, i) => ({
      day,
      supporters: supporters - sum(signups.slice(PERIOD_DAYS + i + 1)),
      streams: streams[PERIOD_DAYS + i] ?? 0,
      revenueCents: revenueCents[PERIOD_DAYS + i] ?? 0,
    })),
    cities,
    topTracks,
  }
}

const sum = (values: readonly number[]) => values.reduce((all, count) => all + count, 0)
const periodChange = (perDay: readonly number[]) => ({
  last30: sum(perDay.slice(PERIOD_DAYS)),
  before30: sum(perDay.slice(0, PERIOD_DAYS)),
})

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
