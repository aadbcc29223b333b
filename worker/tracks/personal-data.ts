import { sql } from 'drizzle-orm'
import { RETENTION } from '../contract/retention'
import { type BatchResult, batchResult, combineResults, processDueRows } from '../db/cleanup-batches'
import type { Deps } from '../deps'
import type { PersonalData } from '../gdpr/personal-data'
import { lastDueDay, type Millis } from '../lib/clock'
import { deleteOldStreamReports } from './streams'

const BATCH_SIZE = 500

/** Likes stay counted, under a user row without a name. */
export const personalData: PersonalData = {
  name: 'tracks',
  export: ({ userId, at }) => ({
    // If the release of a liked track was postponed, the title is hidden until then.
    likes: sql`SELECT iif(tracks.released_at <= ${at}, tracks.title, 'A track that is not out') AS track, liked_at
      FROM track_likes JOIN tracks ON tracks.id = track_likes.track_id WHERE user_id = ${userId} ORDER BY liked_at`,
  }),
  erase: ({ userId }) => [sql`DELETE FROM stream_reports WHERE listener = ${`u${userId}`}`],
  retention: [
    { name: 'Delete listener records', step: ({ db }, at) => deleteOldStreamReports(db, at) },
    { name: 'Delete listening history', step: anonymizeListens },
    { name: 'Delete old analytics', step: deleteOldAnalytics },
  ],
}

/** Removes the track from ledger entries of old listens. A reversal's key contains the reversed key, so both change. */
function anonymizeListens({ db }: Pick<Deps, 'db'>, at: Millis): Promise<BatchResult> {
  return processDueRows(db, {
    due: `SELECT id, created_at AS since FROM ledger
      WHERE action = 'track_stream' AND points > 0 AND description <> 'Listened to a track' AND created_at <= ?1
      ORDER BY created_at`,
    months: RETENTION.analyticsAnonymizedMonths,
    at,
    size: BATCH_SIZE,
    change: [
      `UPDATE ledger SET key = 'undo:track_stream:anonymous:' || listen.id, description = 'Taken back'
       FROM ledger listen WHERE listen.id IN (SELECT value FROM json_each(?1)) AND listen.points > 0
         AND ledger.user_id = listen.user_id AND ledger.key = 'undo:' || listen.key`,
      `UPDATE ledger SET key = 'track_stream:anonymous:' || id, description = 'Listened to a track'
       WHERE id IN (SELECT value FROM json_each(?1))`,
    ],
  })
}

/** Moves the plays of old days to one row without a day, so that a track's total is unchanged. Deletes old clicks. */
async function deleteOldAnalytics({ db }: Pick<Deps, 'db'>, at: Millis): Promise<BatchResult> {
  const d1 = db.$client
  const until = lastDueDay(at, RETENTION.analyticsMonths)
  const oldestDays = `SELECT track_id, day FROM track_days WHERE day <> '' AND day <= ?1 ORDER BY day, track_id LIMIT ${BATCH_SIZE}`
  // The triggers of track_days add and subtract the same number: the total stays constant.
  const [, days, clicks] = await d1.batch([
    d1
      .prepare(
        `INSERT INTO track_days (track_id, day, plays)
         SELECT track_id, '', sum(plays) FROM track_days WHERE (track_id, day) IN (${oldestDays}) GROUP BY track_id
         ON CONFLICT (track_id, day) DO UPDATE SET plays = plays + excluded.plays`,
      )
      .bind(until),
    d1.prepare(`DELETE FROM track_days WHERE (track_id, day) IN (${oldestDays}) RETURNING day`).bind(until),
    d1
      .prepare(
        `DELETE FROM outbound_clicks WHERE (track_id, service, day) IN (
           SELECT track_id, service, day FROM outbound_clicks WHERE day <= ?1 LIMIT ${BATCH_SIZE}) RETURNING day`,
      )
      .bind(until),
  ])
  return combineResults([batchResult(days, BATCH_SIZE), batchResult(clicks, BATCH_SIZE)])
}
