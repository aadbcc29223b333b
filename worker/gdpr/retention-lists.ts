import { ANONYMIZED_VERSE } from '../challenge/withdraw'
import { RETENTION } from '../contract/retention'
import { type BatchResult, batchResult, combineResults, processDueRows } from '../db/batch-delete'
import type { JobDeps } from '../jobs/job-runs'
import { DAY_MS, type Millis } from '../lib/clock'

const BATCH_SIZE = 500

/** Forgets addresses that somebody typed and nobody confirmed: they may be anybody's. */
export async function deleteUnconfirmedAddresses({ db }: JobDeps, at: Millis): Promise<BatchResult> {
  const d1 = db.$client
  const until = at - RETENTION.unconfirmedDays * DAY_MS
  const [subscribers, alerts] = await d1.batch([
    d1
      .prepare(
        `DELETE FROM subscribers WHERE id IN (
           SELECT id FROM subscribers WHERE state = 'pending' AND consent_at <= ?1 ORDER BY consent_at LIMIT ${BATCH_SIZE})
         RETURNING id`,
      )
      .bind(until),
    d1
      .prepare(
        `DELETE FROM show_alerts WHERE id IN (
           SELECT id FROM show_alerts WHERE confirmed_at IS NULL AND created_at <= ?1 ORDER BY created_at LIMIT ${BATCH_SIZE})
         RETURNING id`,
      )
      .bind(until),
  ])
  return combineResults([batchResult(subscribers, BATCH_SIZE), batchResult(alerts, BATCH_SIZE)])
}

/** Forgets who left the newsletter so long ago that nobody asks any more whether they had agreed to it. */
export const deleteUnsubscribed = ({ db: { $client: d1 } }: JobDeps, at: Millis): Promise<BatchResult> =>
  processDueRows(
    d1,
    {
      due: `SELECT id, unsubscribed_at AS since FROM subscribers
        WHERE state = 'unsubscribed' AND unsubscribed_at <= ?1 ORDER BY unsubscribed_at`,
      months: RETENTION.unsubscribedMonths,
      at,
      size: BATCH_SIZE,
    },
    (ids) => [
      d1
        .prepare("DELETE FROM subscribers WHERE id IN (SELECT value FROM json_each(?1)) AND state = 'unsubscribed'")
        .bind(ids),
    ],
  )

/** Forgets who sent verses to a challenge of long ago. */
export const anonymiseVerses = ({ db: { $client: d1 } }: JobDeps, at: Millis): Promise<BatchResult> =>
  processDueRows(
    d1,
    {
      due: `SELECT id, submitted_at AS since FROM verse_submissions
        WHERE submitted_at <= ?1 AND email <> 'deleted' ORDER BY submitted_at`,
      months: RETENTION.verseMonths,
      at,
      size: BATCH_SIZE,
    },
    (ids) => [
      d1
        .prepare(`UPDATE verse_submissions SET ${ANONYMIZED_VERSE} WHERE id IN (SELECT value FROM json_each(?1))`)
        .bind(ids),
    ],
  )

/** Forgets what the desk wrote about flagged votes of long ago, with the audit's words of it; the decisions stay. */
export const clearBallotReasons = ({ db: { $client: d1 } }: JobDeps, at: Millis): Promise<BatchResult> =>
  processDueRows(
    d1,
    {
      due: `SELECT ballot_id AS id, decided_at AS since FROM ballot_flags
        WHERE decided_at <= ?1 AND reason <> '' ORDER BY decided_at`,
      months: RETENTION.ballotReasonMonths,
      at,
      size: BATCH_SIZE,
    },
    (ids) => [
      d1
        .prepare(
          `UPDATE audit_log SET detail = json_remove(detail, '$.reason') WHERE subject IN (
             SELECT 'ballot:' || value FROM json_each(?1)
             UNION SELECT 'challenge:' || challenge_id FROM ballot_flags WHERE ballot_id IN (SELECT value FROM json_each(?1)))
           AND action IN ('ballot.kept', 'ballot.excluded', 'ballots.kept')
           AND at <= (SELECT max(decided_at) FROM ballot_flags WHERE ballot_id IN (SELECT value FROM json_each(?1)))
           AND json_extract(detail, '$.reason') IS NOT NULL`,
        )
        .bind(ids),
      d1.prepare("UPDATE ballot_flags SET reason = '' WHERE ballot_id IN (SELECT value FROM json_each(?1))").bind(ids),
    ],
  )
