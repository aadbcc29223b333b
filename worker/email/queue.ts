import { type SQL, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { type Db, openDb } from '../db/client'
import type { Env } from '../env'
import { MINUTE_MS, type Millis, SECOND_MS } from '../lib/clock'
import { logError, logEvent } from '../lib/log'
import { limits } from '../limits'
import { createDelivery, deliverEmails } from './deliver'
import { failWaitingEmails, idIn } from './outbox'

const EmailMessage = z.object({ kind: z.literal('mail'), id: z.string() })
type EmailJob = z.infer<typeof EmailMessage>

/** Messages a queue accepts in one call. */
const QUEUE_BATCH_SIZE = 100
/** A queue's maximum delay. */
const MAX_DELAY_SECONDS = 12 * 3600
const ERROR_RETRY_SECONDS = 30

/** Sends a queue message for each due email that has none. A duplicate message finds nothing to claim. */
export function enqueuePendingEmails(db: Db, queue: Queue<EmailJob>, now: Millis): Promise<void> {
  return sendToQueue(db, queue, sql`queued_at IS NULL AND due_at <= ${now}`, now)
}

/** Sends another message for emails that are overdue: their message was lost. */
export function requeueOverdueEmails(db: Db, queue: Queue<EmailJob>, now: Millis): Promise<void> {
  const overdueAt = now - limits.emailOverdueMinutes * MINUTE_MS
  const isOverdue = sql`due_at <= ${overdueAt} AND coalesce(queued_at, created_at) <= ${overdueAt}`
  return sendToQueue(db, queue, isOverdue, now)
}

async function sendToQueue(db: Db, queue: Queue<EmailJob>, condition: SQL, now: Millis): Promise<void> {
  for (;;) {
    const rows = await db.all<{ id: string }>(
      sql`UPDATE outbox SET queued_at = ${now} WHERE id IN (
          SELECT id FROM outbox WHERE state = 'waiting' AND claimed_at IS NULL AND broadcast_id IS NULL AND ${condition}
          ORDER BY due_at LIMIT ${QUEUE_BATCH_SIZE})
        RETURNING id`,
    )
    if (rows.length === 0) return
    await queue.sendBatch(rows.map(({ id }) => ({ body: { kind: 'mail', id } })))
    if (rows.length < QUEUE_BATCH_SIZE) return
  }
}

/** Marks emails whose sender crashed as `unknown`: they may have been sent, so they are not repeated. */
export async function markStaleClaimsUnknown(db: Db, now: Millis): Promise<void> {
  await db.run(
    sql`UPDATE outbox SET state = 'unknown', in_doubt = true, claimed_at = NULL, last_error = 'The sender stopped half-way.'
      WHERE state = 'waiting' AND claimed_at <= ${now - limits.emailLeaseMinutes * MINUTE_MS}`,
  )
}

/**
 * Handles a batch of the email queue. Emails that are not due are retried later; malformed messages are retried alone.
 */
export async function consumeEmails(
  batch: MessageBatch<unknown>,
  env: Env,
  now: () => Millis = Date.now,
): Promise<void> {
  const parsed = batch.messages.map((message) => ({ message, job: EmailMessage.safeParse(message.body).data }))
  for (const { message, job } of parsed) if (!job) message.retry()
  const jobs = parsed.flatMap(({ message, job }) => (job ? [{ message, id: job.id }] : []))
  if (jobs.length === 0) return
  try {
    const ids = [...new Set(jobs.map(({ id }) => id))]
    const { waiting } = await deliverEmails(await createDelivery(env, now), ids)
    for (const { message, id } of jobs) {
      const dueAt = waiting.get(id)
      if (dueAt === undefined) message.ack()
      else message.retry({ delaySeconds: delaySeconds(dueAt, now(), 1) })
    }
  } catch (error) {
    logError('email', error, { emails: jobs.length })
    for (const { message } of jobs) message.retry({ delaySeconds: ERROR_RETRY_SECONDS })
  }
}

/** Queue delay until `dueAt`, from `min` to twelve hours. */
export const delaySeconds = (dueAt: Millis, now: Millis, min = 0): number =>
  Math.min(MAX_DELAY_SECONDS, Math.max(min, Math.ceil((dueAt - now) / SECOND_MS)))

/** Fails the emails of dead-lettered messages. */
export async function failDeadLetters(batch: MessageBatch<unknown>, env: Pick<Env, 'DB'>): Promise<void> {
  const db = openDb(env.DB)
  const ids = batch.messages.flatMap(({ body }) => EmailMessage.safeParse(body).data?.id ?? [])
  await failWaitingEmails(db, idIn(ids), sql`coalesce(last_error, 'The queue gave up on it.')`).run()
  for (const { id, body, timestamp } of batch.messages)
    logEvent('dead-letter', { id, kind: EmailMessage.safeParse(body).data?.kind ?? null, sent: timestamp })
  batch.ackAll()
}
