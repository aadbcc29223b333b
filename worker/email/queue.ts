import { type SQL, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { type Db, openDb } from '../db/client'
import { MINUTE_MS, type Millis, SECOND_MS } from '../lib/clock'
import { limits } from '../limits'
import { createBatchHandler, MAX_QUEUE_BATCH, MAX_QUEUE_DELAY_MS } from '../queue-handler'
import { createDelivery, deliverEmails } from './deliver'
import { failWaitingEmails, idIn } from './outbox'

const EmailMessage = z.object({ kind: z.literal('mail'), id: z.string() })
type EmailJob = z.infer<typeof EmailMessage>

const ERROR_RETRY_SECONDS = 30

/** Sends a queue message for each due email that has none. A duplicate message finds nothing to claim. */
export function enqueuePendingEmails(db: Db, queue: Queue<EmailJob>, now: Millis): Promise<void> {
  return sendToQueue(db, queue, sql`queued_at IS NULL AND due_at <= ${now}`, now)
}

/** Sends another message for emails that are overdue: their message was probably lost. */
export function requeueOverdueEmails(db: Db, queue: Queue<EmailJob>, now: Millis): Promise<void> {
  const overdueAt = now - limits.emailOverdueMinutes * MINUTE_MS
  const isOverdue = sql`due_at <= ${overdueAt} AND coalesce(queued_at, created_at) <= ${overdueAt}`
  return sendToQueue(db, queue, isOverdue, now)
}

/**
 * Sends a queue message for each unclaimed waiting email that matches `condition`. Emails of broadcasts are left out,
 * because the broadcast's own queue messages send them.
 */
async function sendToQueue(db: Db, queue: Queue<EmailJob>, condition: SQL, now: Millis): Promise<void> {
  for (;;) {
    const rows = await db.all<{ id: string }>(
      sql`UPDATE outbox SET queued_at = ${now} WHERE id IN (
          SELECT id FROM outbox WHERE state = 'waiting' AND claimed_at IS NULL AND broadcast_id IS NULL AND ${condition}
          ORDER BY due_at LIMIT ${MAX_QUEUE_BATCH})
        RETURNING id`,
    )
    if (rows.length === 0) return
    await queue.sendBatch(rows.map(({ id }) => ({ body: { kind: 'mail', id } })))
    if (rows.length < MAX_QUEUE_BATCH) return
  }
}

/** Marks emails whose sender crashed as `unknown`: they may have been sent, so they are not repeated. */
export async function markStaleClaimsUnknown(db: Db, now: Millis): Promise<void> {
  await db.run(
    sql`UPDATE outbox SET state = 'unknown', in_doubt = true, claimed_at = NULL, last_error = 'The sender stopped halfway.'
      WHERE state = 'waiting' AND claimed_at <= ${now - limits.emailLeaseMinutes * MINUTE_MS}`,
  )
}

/** Sends the emails of a batch; those that must wait are retried when due. */
export const emailHandler = createBatchHandler({
  schema: EmailMessage,
  retrySeconds: ERROR_RETRY_SECONDS,
  async run(jobs, env, now) {
    const { waiting } = await deliverEmails(await createDelivery(env, now), [...new Set(jobs.map(({ id }) => id))])
    return new Map(
      jobs.flatMap(({ id, messageId }): [string, number][] => {
        const dueAt = waiting.get(id)
        return dueAt === undefined ? [] : [[messageId, delaySeconds(dueAt, now(), 1)]]
      }),
    )
  },
  fail: ({ id }, { DB }) =>
    failWaitingEmails(openDb(DB), idIn([id]), sql`coalesce(last_error, 'The queue gave up on it.')`).run(),
})

/** Queue delay until `dueAt`, from `min` to twelve hours. */
export const delaySeconds = (dueAt: Millis, now: Millis, min = 0): number =>
  Math.min(MAX_QUEUE_DELAY_MS / SECOND_MS, Math.max(min, Math.ceil((dueAt - now) / SECOND_MS)))
