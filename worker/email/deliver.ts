import { sql } from 'drizzle-orm'
import { openDb, prepare } from '../db/client'
import type { Deps } from '../deps'
import { type Env, readConfig } from '../env'
import { HOUR_MS, type Millis, SECOND_MS } from '../lib/clock'
import { limits } from '../limits'
import { idIn } from './outbox'
import {
  createEmailProvider,
  type EmailProvider,
  type EmailSender,
  type OutgoingEmail,
  type SendResult,
  sendEmail,
} from './providers'
import { failSuppressed, suppressAddress } from './suppressions'

export type DeliveryDeps = Pick<Deps, 'db' | 'secret'> & {
  provider: EmailProvider
  from: EmailSender
  now: () => Millis
  /**
   * Whether to stop after a batch in which the provider is busy or accepts no email. Attempts with a busy provider are
   * then not counted.
   */
  stopWhenBusy?: boolean
  /** Builds the email if the row does not hold its full text. */
  compose?: (row: ClaimedEmail) => Promise<OutgoingEmail>
}

export type ClaimedEmail = {
  id: string
  kind: string
  recipient: string
  subject: string
  text: string
  html: string
  headers: string
  attempts: number
}

/** The sender is the address of MAIL_FROM with the site's name. */
export async function createDelivery(env: Env, now: () => Millis): Promise<DeliveryDeps> {
  const config = readConfig(env)
  const db = openDb(env.DB)
  const [site] = await db.all<{ name: string }>(sql`SELECT name FROM site LIMIT 1`)
  return {
    db,
    secret: config.signingSecret,
    provider: createEmailProvider(env, config),
    from: { email: config.mail.from, name: site?.name ?? '' },
    now,
  }
}

/**
 * Sends emails in small batches: claims a batch in one statement, sends it in parallel, stores the results in one
 * transaction. If the worker crashes in between, `markStaleClaimsUnknown` finds the claimed rows.
 * @returns the waiting emails with the times they are due, and whether sending stopped because the provider is busy.
 */
export async function deliverEmails(
  delivery: DeliveryDeps,
  ids: readonly string[],
): Promise<{ waiting: Map<string, Millis>; stopped: boolean }> {
  const waiting = new Map<string, Millis>()
  const deliverable = await failSuppressed(delivery, ids)
  for (let start = 0; start < deliverable.length; start += limits.maxConcurrentEmailSends) {
    const batch = await deliverBatch(delivery, deliverable.slice(start, start + limits.maxConcurrentEmailSends))
    for (const [id, dueAt] of batch.waiting) waiting.set(id, dueAt)
    if (delivery.stopWhenBusy && batch.isBusy && batch.waiting.size > 0) return { waiting, stopped: true }
  }
  return { waiting, stopped: false }
}

async function deliverBatch(delivery: DeliveryDeps, ids: readonly string[]) {
  const { db, provider, from, now, compose = toOutgoingEmail } = delivery
  const claimedAt = now()
  const [claimResult, waitingResult] = await db.$client.batch([
    prepare(
      db,
      sql`UPDATE outbox SET claimed_at = ${claimedAt}, attempts = attempts + 1
        WHERE ${idIn(ids)} AND state = 'waiting' AND claimed_at IS NULL AND due_at <= ${claimedAt} AND (broadcast_id IS NULL
          OR EXISTS (SELECT 1 FROM broadcasts b WHERE b.id = broadcast_id AND b.state = 'sending'))
        RETURNING id, kind, recipient, subject, text, html, headers, attempts`,
    ),
    prepare(
      db,
      sql`SELECT id, due_at AS dueAt FROM outbox WHERE ${idIn(ids)} AND state = 'waiting' AND claimed_at IS NULL`,
    ),
  ])
  const claimed = (claimResult?.results ?? []) as ClaimedEmail[]
  const waitingRows = (waitingResult?.results ?? []) as { id: string; dueAt: Millis }[]
  const waiting = new Map(waitingRows.map(({ id, dueAt }) => [id, dueAt]))
  const attempted = await Promise.all(
    claimed.map(async (row) => ({ row, result: await sendEmail(provider, await compose(row), from) })),
  )
  const updates = attempted.map(({ row, result }) => storeResultStatement(delivery, row, result))
  const suppressions = await Promise.all(
    attempted
      .filter(({ result }) => result.kind === 'rejected' && result.suppressed)
      .map(({ row }) =>
        suppressAddress(delivery, { email: row.recipient, reason: 'suppressed', mailId: row.id, at: now() }),
      ),
  )
  const statements = [...updates.map(({ statement }) => statement), ...suppressions]
  const writeResults = () => db.$client.batch(statements)
  // Tried three times, because a lost result leaves it unknown whether the email was sent.
  if (statements.length > 0) await writeResults().catch(writeResults).catch(writeResults)
  for (const { id, dueAt } of updates) if (dueAt !== null) waiting.set(id, dueAt)
  const allRetry = attempted.length > 0 && attempted.every(({ result }) => result.kind === 'retry')
  return { waiting, isBusy: allRetry || attempted.some(({ result }) => isBusy(result)) }
}

const isBusy = (result: SendResult) => result.kind === 'retry' && result.busy === true

const toOutgoingEmail = async (row: ClaimedEmail): Promise<OutgoingEmail> => {
  const { id: key, kind, recipient: to, subject, text, html, headers } = row
  return { key, kind, to, subject, text, html, headers: JSON.parse(headers) as Record<string, string> }
}

/** Half a minute, doubled with each attempt, at most an hour. */
export const retryDelay = (attempts: number): Millis => Math.min(30 * SECOND_MS * 2 ** (attempts - 1), HOUR_MS)

/** State after the last attempt. Null: `failed`, or `unknown` if an attempt may have been delivered. */
const STATE_BY_RESULT = { sent: 'sent', retry: null, rejected: 'failed', unknown: 'unknown' } as const

/** Statement that stores the result of an attempt. `dueAt` is the time of the next attempt, null if there is none. */
function storeResultStatement(
  { db, now, stopWhenBusy }: DeliveryDeps,
  { id, attempts }: ClaimedEmail,
  result: SendResult,
) {
  const at = now()
  // Attempts with a busy provider are not counted, so that a long broadcast does not use them up.
  const isUncounted = stopWhenBusy === true && isBusy(result)
  const willRetry = result.kind === 'retry' && (isUncounted || attempts < limits.maxEmailAttempts)
  const dueAt = willRetry ? at + Math.max(retryDelay(attempts), result.afterMs ?? 0) : null
  const inDoubt = result.kind === 'unknown' || (result.kind === 'retry' && result.inDoubt === true)
  const state = willRetry ? 'waiting' : STATE_BY_RESULT[result.kind]
  // If the broadcast was canceled while this email was being sent, there is no further attempt.
  const isCanceled = "EXISTS (SELECT 1 FROM broadcasts b WHERE b.id = broadcast_id AND b.state = 'cancelled')"
  const statement = db.$client
    .prepare(
      `UPDATE outbox SET claimed_at = NULL, due_at = coalesce(?3, due_at), attempts = attempts - ?7, in_doubt = max(in_doubt, ?8),
         state = CASE WHEN ?2 IS NULL OR (?2 = 'waiting' AND ${isCanceled}) THEN iif(max(in_doubt, ?8), 'unknown', 'failed') ELSE ?2 END,
         last_error = CASE WHEN ?2 = 'waiting' AND ${isCanceled} THEN 'The broadcast was canceled.' ELSE ?4 END,
         provider_id = ?5, sent_at = CASE ?2 WHEN 'sent' THEN ?6 ELSE sent_at END
       WHERE id = ?1 AND state = 'waiting' AND claimed_at IS NOT NULL`,
    )
    .bind(
      id,
      state,
      dueAt,
      'reason' in result ? result.reason : null,
      'providerId' in result ? result.providerId : null,
      at,
      Number(isUncounted),
      Number(inDoubt),
    )
  return { id, dueAt, statement }
}
