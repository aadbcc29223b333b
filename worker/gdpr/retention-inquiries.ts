import { RETENTION } from '../contract/retention'
import { type BatchResult, processDueRows } from '../db/batch-delete'
import type { JobDeps } from '../jobs/job-runs'
import type { Millis } from '../lib/clock'

/** Forgets inquiries so long after their answer as the policy says. An open one is never forgotten. */
export const deleteOldInquiries = ({ db: { $client: d1 } }: JobDeps, at: Millis): Promise<BatchResult> =>
  processDueRows(
    d1,
    {
      due: `SELECT id, answered_at AS since FROM privacy_inquiries
        WHERE answered_at IS NOT NULL AND answered_at <= ?1 ORDER BY answered_at`,
      months: RETENTION.supportMonths,
      at,
      size: 500,
    },
    (ids) => [d1.prepare('DELETE FROM privacy_inquiries WHERE id IN (SELECT value FROM json_each(?1))').bind(ids)],
  )
