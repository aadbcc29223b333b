import { MINUTE_MS, type Millis } from '../lib/clock'
import { limits } from '../limits'

export type EmailJob = { kind: 'mail'; id: string }

/** How many messages a queue takes at once. */
const QUEUE_BATCH_SIZE = 100

/**
 * Tells the queue of every mail that it has not been told of. A message too many finds nothing to claim; where the
 * queue does not take one, the sweep tells it again.
 */
export async function enqueuePendingEmails(db: D1Database, queue: Queue<EmailJob>, now: Millis): Promise<void> {
  await sendToQueue(db, queue, 'queued_at IS NULL AND due_at <= ?1', now)
}

/** The same for mail whose message was lost: due for some minutes, and nobody came. */
export async function requeueOverdueEmails(db: D1Database, queue: Queue<EmailJob>, now: Millis): Promise<void> {
  const overdue = `due_at <= ?1 - ${limits.emailOverdueMinutes * MINUTE_MS}
    AND coalesce(queued_at, created_at) <= ?1 - ${limits.emailOverdueMinutes * MINUTE_MS}`
  await sendToQueue(db, queue, overdue, now)
}

async function sendToQueue(db: D1Database, queue: Queue<EmailJob>, condition: string, now: Millis): Promise<void> {
  for (;;) {
    const { results } = await db
      .prepare(
        `UPDATE outbox SET queued_at = ?1 WHERE id IN (
           SELECT id FROM outbox WHERE state = 'waiting' AND claimed_at IS NULL AND broadcast_id IS NULL AND ${condition} ORDER BY due_at LIMIT ${QUEUE_BATCH_SIZE})
         RETURNING id`,
      )
      .bind(now)
      .all<{ id: string }>()
    if (results.length === 0) return
    await queue.sendBatch(results.map(({ id }) => ({ body: { kind: 'mail' as const, id } })))
    if (results.length < QUEUE_BATCH_SIZE) return
  }
}

/**
 * A mail that was claimed so long ago was in a sender's hands when it died: nobody knows whether it went out, so it is
 * shown to the administrator and not repeated (ruling 27).
 */
export async function markStaleClaimsUnknown(db: D1Database, now: Millis): Promise<void> {
  await db
    .prepare(
      `UPDATE outbox SET state = 'unknown', in_doubt = true, claimed_at = NULL, last_error = 'The sender stopped half-way.'
       WHERE state = 'waiting' AND claimed_at <= ?1`,
    )
    .bind(now - limits.emailLeaseMinutes * MINUTE_MS)
    .run()
}
