import { RETENTION } from '../contract/retention'
import { aged, type Step, together, took } from '../db/portions'
import type { Millis } from '../lib/clock'
import { lastDayDue } from '../lib/months'
import type { House } from './job-runs'

const AT_ONCE = 500

/**
 * Folds the days of plays that are older than the policy's span into one row without a day, so that a track's total
 * stays what it was, and forgets the clicks of those days.
 */
export async function deleteOldAnalytics({ db }: House, at: Millis): Promise<Step> {
  const d1 = db.$client
  const until = lastDayDue(at, RETENTION.analyticsMonths)
  const oldest = `SELECT track_id, day FROM track_days WHERE day <> '' AND day <= ?1 ORDER BY day, track_id LIMIT ${AT_ONCE}`
  // The triggers of track_days add and take away the same number: nobody sees the total move.
  const [, days, clicks] = await d1.batch([
    d1
      .prepare(
        `INSERT INTO track_days (track_id, day, plays)
         SELECT track_id, '', sum(plays) FROM track_days WHERE (track_id, day) IN (${oldest}) GROUP BY track_id
         ON CONFLICT (track_id, day) DO UPDATE SET plays = plays + excluded.plays`,
      )
      .bind(until),
    d1.prepare(`DELETE FROM track_days WHERE (track_id, day) IN (${oldest}) RETURNING day`).bind(until),
    d1
      .prepare(
        `DELETE FROM outbound_clicks WHERE (track_id, service, day) IN (
           SELECT track_id, service, day FROM outbound_clicks WHERE day <= ?1 LIMIT ${AT_ONCE}) RETURNING day`,
      )
      .bind(until),
  ])
  return together([took(days, AT_ONCE), took(clicks, AT_ONCE)])
}

/** City requests lose their link to who made them after one span, and go after the other. */
export const anonymiseAnalytics = ({ db }: House, at: Millis): Promise<Step> =>
  cityRequests(db.$client, at, {
    months: RETENTION.analyticsAnonymisedMonths,
    which: "requester NOT LIKE 'anonymous:%'",
    // Random, because two people may have asked for the same city, and both count.
    change: "UPDATE city_requests SET requester = 'anonymous:' || lower(hex(randomblob(12)))",
  })

export const deleteOldCityRequests = ({ db }: House, at: Millis): Promise<Step> =>
  cityRequests(db.$client, at, {
    months: RETENTION.analyticsMonths,
    which: 'true',
    change: 'DELETE FROM city_requests',
  })

const cityRequests = (
  d1: D1Database,
  at: Millis,
  { months, which, change }: { months: number; which: string; change: string },
): Promise<Step> =>
  aged(
    d1,
    {
      due: `SELECT rowid AS id, created_at AS since FROM city_requests WHERE created_at <= ?1 AND ${which} ORDER BY created_at`,
      months,
      at,
      size: AT_ONCE,
    },
    (ids) => [d1.prepare(`${change} WHERE rowid IN (SELECT value FROM json_each(?1)) AND ${which}`).bind(ids)],
  )
