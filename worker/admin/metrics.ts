import { type SQL, sql } from 'drizzle-orm'
import type { DayMetrics, Metrics } from '../contract/metrics'
import type { RangeDay } from '../db/artist-calendar'
import { type Db, prepare } from '../db/client'
import type { DayRange } from '../db/day-range'

type DaySum = { day: string; sum: number }

/** SELECT of one sum per day. `sumOf` returns the query of the sum from `beginsAt` until before `endsAt`. */
const perDay = (days: readonly RangeDay[], sumOf: (beginsAt: SQL, endsAt: SQL) => SQL) =>
  sql`SELECT value ->> 0 AS day, (${sumOf(sql`(value ->> 1)`, sql`(value ->> 2)`)}) AS sum
    FROM json_each(${JSON.stringify(days.map(({ day, beginsAt, endsAt }) => [day, beginsAt, endsAt]))})`

// All tiers are listed, so that SQLite uses the index `users_supporters`.
export const signupsPerDay = (days: readonly RangeDay[]): SQL =>
  perDay(
    days,
    (beginsAt, endsAt) => sql`SELECT count(*) FROM users WHERE role = 'supporter' AND is_demo_login = 0
      AND erased_at IS NULL AND tier IN ('bronze', 'silver', 'gold') AND created_at >= ${beginsAt} AND created_at < ${endsAt}`,
  )

export const revenuePerDay = (days: readonly RangeDay[]): SQL =>
  perDay(
    days,
    (beginsAt, endsAt) => sql`SELECT coalesce(sum(amount_cents - refunded_cents), 0) FROM orders
      WHERE status = 'paid' AND paid_at >= ${beginsAt} AND paid_at < ${endsAt}`,
  )

export const streamsPerDay = (first: string, last: string): SQL =>
  sql`SELECT day, sum(plays) AS sum FROM track_days WHERE day BETWEEN ${first} AND ${last} GROUP BY day`

/** Metrics of each day of a range and of the equally long range before it. */
export async function loadMetrics(db: Db, { today, days, before }: DayRange): Promise<Metrics> {
  const allDays = [...before, ...days]
  const queries = [
    signupsPerDay(allDays),
    streamsPerDay(allDays[0]?.day ?? today, allDays.at(-1)?.day ?? today),
    revenuePerDay(allDays),
  ]
  const results = await db.$client.batch<DaySum>(queries.map((query) => prepare(db, query)))
  const sums = results.map(({ results: rows }) => new Map(rows.map(({ day, sum }) => [day, sum])))
  const toMetrics = ({ day }: RangeDay): DayMetrics => {
    const [supporters = 0, streams = 0, revenueCents = 0] = sums.map((byDay) => byDay.get(day) ?? 0)
    return { day, supporters, streams, revenueCents }
  }
  return { today, days: days.map(toMetrics), before: before.map(toMetrics) }
}
