import { RETENTION } from '../contract/retention'
import { type BatchResult, processDueRows } from '../db/batch-delete'
import type { JobDeps } from '../jobs/job-runs'
import type { Millis } from '../lib/clock'

const BATCH_SIZE = 500

/**
 * Listens of long ago keep their points and no longer say to which track: the analytics in people's histories. One that
 * was taken back keeps its reversal, which is told by the act's key and moves with it.
 */
export const anonymiseListens = ({ db: { $client: d1 } }: JobDeps, at: Millis): Promise<BatchResult> =>
  processDueRows(
    d1,
    {
      due: `SELECT id, created_at AS since FROM ledger
        WHERE action = 'track_stream' AND points > 0 AND description <> 'Listened to a track' AND created_at <= ?1
        ORDER BY created_at`,
      months: RETENTION.analyticsAnonymisedMonths,
      at,
      size: BATCH_SIZE,
    },
    (ids) => [
      d1
        .prepare(
          `UPDATE ledger SET key = 'undo:track_stream:anonymous:' || act.id, description = 'Taken back'
           FROM ledger act WHERE act.id IN (SELECT value FROM json_each(?1)) AND act.points > 0
             AND ledger.user_id = act.user_id AND ledger.key = 'undo:' || act.key`,
        )
        .bind(ids),
      d1
        .prepare(
          `UPDATE ledger SET key = 'track_stream:anonymous:' || id, description = 'Listened to a track'
           WHERE id IN (SELECT value FROM json_each(?1))`,
        )
        .bind(ids),
    ],
  )

/**
 * The title of a poll whose maker is gone, out of the histories of those who voted in it: a portion of one poll's voters
 * at a time, and the poll says how far that has come (auth/erasure.ts begins it).
 */
export async function clearPollTitles({ db: { $client: d1 } }: JobDeps): Promise<BatchResult> {
  const voters = `SELECT user_id FROM poll_votes WHERE poll_id = ?1 AND user_id > ?2 ORDER BY user_id LIMIT ${BATCH_SIZE}`
  const poll = await d1
    .prepare(
      'SELECT id, title_forgotten_up_to AS upTo FROM polls WHERE title_forgotten_up_to IS NOT NULL ORDER BY id LIMIT 1',
    )
    .first<{ id: string; upTo: number }>()
  if (!poll) return { affected: 0, more: false }
  const [cleared] = await d1.batch([
    d1
      .prepare(
        `UPDATE ledger SET description = 'Voted in a poll'
         WHERE key = 'poll_vote:' || ?1 AND user_id IN (${voters}) RETURNING id`,
      )
      .bind(poll.id, poll.upTo),
    d1
      .prepare(`UPDATE polls SET title_forgotten_up_to = (SELECT max(user_id) FROM (${voters})) WHERE id = ?1`)
      .bind(poll.id, poll.upTo),
  ])
  return { affected: cleared?.results.length ?? 0, more: true }
}
