import { RETENTION } from '../contract/retention'
import { type BatchResult, batchResult, combineResults, processDueRows } from '../db/batch-delete'
import type { JobDeps } from '../jobs/job-runs'
import type { Millis } from '../lib/clock'
import { lastDueDay } from '../lib/clock'

const BATCH_SIZE = 500

/**
 * Folds the days of plays that are older than the policy's span into one row without a day, so that a track's total
 * stays what it was, and forgets the clicks of those days.
 */
export async function deleteOldAnalytics({ db }: JobDeps, at: Millis): Promise<BatchResult> {
  const d1 = db.$client
  const until = lastDueDay(at, RETENTION.analyticsMonths)
  const oldest = `SELECT track_id, day FROM track_days WHERE day <> '' AND day <= ?1 ORDER BY day, track_id LIMIT ${BATCH_SIZE}`
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
           SELECT track_id, service, day FROM outbound_clicks WHERE day <= ?1 LIMIT ${BATCH_SIZE}) RETURNING day`,
      )
      .bind(until),
  ])
  return combineResults([batchResult(days, BATCH_SIZE), batchResult(clicks, BATCH_SIZE)])
}

/** City requests lose their link to who made them after one span, and go after the other. */
export const anonymiseCityRequests = ({ db }: JobDeps, at: Millis): Promise<BatchResult> =>
  processCityRequests(db.$client, at, {
    months: RETENTION.analyticsAnonymisedMonths,
    condition: "requester NOT LIKE 'anonymous:%'",
    // Random, because two people may have asked for the same city, and both count.
    change: "UPDATE city_requests SET requester = 'anonymous:' || lower(hex(randomblob(12)))",
  })

export const deleteOldCityRequests = ({ db }: JobDeps, at: Millis): Promise<BatchResult> =>
  processCityRequests(db.$client, at, {
    months: RETENTION.analyticsMonths,
    condition: 'true',
    change: 'DELETE FROM city_requests',
  })

const processCityRequests = (
  d1: D1Database,
  at: Millis,
  { months, condition, change }: { months: number; condition: string; change: string },
): Promise<BatchResult> =>
  processDueRows(
    d1,
    {
      due: `SELECT rowid AS id, created_at AS since FROM city_requests WHERE created_at <= ?1 AND ${condition} ORDER BY created_at`,
      months,
      at,
      size: BATCH_SIZE,
    },
    (ids) => [d1.prepare(`${change} WHERE rowid IN (SELECT value FROM json_each(?1)) AND ${condition}`).bind(ids)],
  )
