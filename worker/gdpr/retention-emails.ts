import { ERASURE_RECEIPT_KIND } from '../auth/emails'
import { RETENTION } from '../contract/retention'
import { type BatchResult, batchResult, combineResults, processDueRows } from '../db/batch-delete'
import type { JobDeps } from '../jobs/job-runs'
import { DAY_MS, type Millis } from '../lib/clock'

const BATCH_SIZE = 1_000

/**
 * Empties mails of their words: links and codes are nobody's business once a mail was sent, nor, somewhat later, when
 * it could not be sent. That there was one is kept until `deleteOldMails`.
 */
export async function clearEmailBodies({ db }: JobDeps, at: Millis): Promise<BatchResult> {
  const d1 = db.$client
  const emptied = await d1
    .prepare(
      `UPDATE outbox SET text = '', html = '', headers = '{}' WHERE id IN (
         SELECT id FROM outbox WHERE html <> '' AND created_at <= ?1
           AND ((state = 'sent' AND sent_at <= ?1) OR created_at <= ?2) ORDER BY created_at LIMIT ${BATCH_SIZE})
       RETURNING id`,
    )
    .bind(at - RETENTION.emailBodyDays * DAY_MS, at - RETENTION.unsentEmailBodyDays * DAY_MS)
    .all()
  return batchResult(emptied, BATCH_SIZE)
}

/** What is counted by or must not be written twice: the row stays, and says no more whom it went to. */
const MUST_STAY = "(broadcast_id IS NOT NULL OR kind IN ('receipt', 'refund'))"
const dueEmails = (condition: string) =>
  `SELECT id FROM outbox WHERE recipient <> '' AND created_at <= ?1 AND ${condition} ORDER BY created_at LIMIT ${BATCH_SIZE}`

/** Forgets to whom mails went, whatever became of them. */
export async function deleteOldEmails({ db }: JobDeps, at: Millis): Promise<BatchResult> {
  const d1 = db.$client
  const until = at - RETENTION.emailRecipientDays * DAY_MS
  const [deleted, emptied] = await d1.batch([
    d1.prepare(`DELETE FROM outbox WHERE id IN (${dueEmails(`NOT ${MUST_STAY}`)}) RETURNING id`).bind(until),
    d1
      .prepare(
        // A broadcast's key holds the address; its copies are listed once, so nothing asks for it any more.
        `UPDATE outbox SET recipient = '', recipient_key = '', headers = '{}', text = '', html = '',
           dedupe_key = iif(broadcast_id IS NULL, dedupe_key, 'forgotten:' || id)
         WHERE id IN (${dueEmails(MUST_STAY)}) RETURNING id`,
      )
      .bind(until),
  ])
  return combineResults([batchResult(deleted, BATCH_SIZE), batchResult(emptied, BATCH_SIZE)])
}

/** Forgets to whom receipts of deleted accounts were sent, and those that could not be sent within a week. */
export async function deleteErasureReceipts({ db }: Pick<JobDeps, 'db'>, at: Millis): Promise<BatchResult> {
  const deleted = await db.$client
    .prepare(
      `DELETE FROM outbox WHERE id IN (
         SELECT id FROM outbox WHERE kind = '${ERASURE_RECEIPT_KIND}' AND (state = 'sent' OR created_at <= ?1) LIMIT ${BATCH_SIZE})
       RETURNING id`,
    )
    .bind(at - RETENTION.emailBodyDays * DAY_MS)
    .all()
  return batchResult(deleted, BATCH_SIZE)
}

/** Forgets that mail to an address came back: whoever has the mailbox now may never have heard of us. */
export const deleteOldMailStops = ({ db: { $client: d1 } }: JobDeps, at: Millis): Promise<BatchResult> =>
  processDueRows(
    d1,
    {
      due: 'SELECT hash AS id, created_at AS since FROM mail_stops WHERE created_at <= ?1 ORDER BY created_at',
      months: RETENTION.suppressionMonths,
      at,
      size: BATCH_SIZE,
    },
    (hashes) => [d1.prepare('DELETE FROM mail_stops WHERE hash IN (SELECT value FROM json_each(?1))').bind(hashes)],
  )
