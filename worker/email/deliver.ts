import type { Millis } from '../lib/clock'
import { HOUR_MS, SECOND_MS } from '../lib/clock'
import { limits } from '../limits'
import { type EmailProvider, type OutgoingEmail, type Sender, type SendResult, sendEmail } from './provider'
import { failSuppressed, suppressAddress } from './suppressions'

export type Delivery = {
  db: D1Database
  /** Keys the hashes of addresses that are not written to. */
  secret: string
  provider: EmailProvider
  from: Sender
  /** The clock: asked again for each handful. */
  now: () => Millis
  /** Leaves off at a handful in which the provider is busy, or takes none: the rest would hear the same. */
  stopWhenBusy?: boolean
  /** Writes a row's mail where its own text is not all of it. */
  compose?: (row: ClaimedEmail) => Promise<OutgoingEmail>
}

/** A row that has been claimed. */
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

const CLAIM_SQL = `
  UPDATE outbox SET claimed_at = ?2, attempts = attempts + 1
  WHERE id IN (SELECT value FROM json_each(?1)) AND state = 'waiting' AND claimed_at IS NULL AND due_at <= ?2
    AND (broadcast_id IS NULL OR EXISTS (SELECT 1 FROM broadcasts b WHERE b.id = broadcast_id AND b.state = 'sending'))
  RETURNING id, kind, recipient, subject, text, html, headers, attempts`

/** Nothing is left waiting of a broadcast that was cancelled while the mail was in a sender's hands. */
const BROADCAST_CANCELLED_SQL =
  "EXISTS (SELECT 1 FROM broadcasts b WHERE b.id = broadcast_id AND b.state = 'cancelled')"

/** Which of these wait for a later instant, and for which. */
const WAITING_SQL = `
  SELECT id, due_at AS dueAt FROM outbox
  WHERE id IN (SELECT value FROM json_each(?1)) AND state = 'waiting' AND claimed_at IS NULL`

/**
 * Hands mails over, a handful at a time, but for those to addresses that must not be written to and copies of what
 * was cancelled: claimed in one statement, sent side by side, settled in one batch. Whoever claims first sends; a second delivery of the same message finds nothing to claim. Should the worker die in between,
 * a handful at the most is left claimed, and `markLost` says so. Returns the mails that wait, with their instants, and
 * whether it left off.
 */
export async function deliverEmails(
  delivery: Delivery,
  ids: readonly string[],
): Promise<{ waiting: Map<string, Millis>; leftOff: boolean }> {
  const waiting = new Map<string, Millis>()
  const deliverable = await failSuppressed(delivery, ids)
  for (let from = 0; from < deliverable.length; from += limits.maxConcurrentEmailSends) {
    const { later, busy } = await deliverBatch(delivery, deliverable.slice(from, from + limits.maxConcurrentEmailSends))
    for (const [id, due] of later) waiting.set(id, due)
    if (delivery.stopWhenBusy && busy && later.size > 0) return { waiting, leftOff: true }
  }
  return { waiting, leftOff: false }
}

async function deliverBatch(delivery: Delivery, ids: readonly string[]) {
  const { db, secret, provider, from, now, compose = toOutgoingEmail } = delivery
  const list = JSON.stringify(ids)
  const [claimResult, waitingResult] = await db.batch([
    db.prepare(CLAIM_SQL).bind(list, now()),
    db.prepare(WAITING_SQL).bind(list),
  ])
  const claimed = (claimResult?.results ?? []) as ClaimedEmail[]
  const waitingRows = (waitingResult?.results ?? []) as { id: string; dueAt: Millis }[]
  const waiting = new Map(waitingRows.map(({ id, dueAt }) => [id, dueAt]))
  const results = await Promise.all(claimed.map(async (row) => sendEmail(provider, await compose(row), from)))
  const settled = claimed.map((row, place) => settleStatement(delivery, row, results[place]!))
  const suppressed = claimed.filter((_, place) => isSuppressed(results[place]!))
  const suppressions = await Promise.all(
    suppressed.map(({ id, recipient }) =>
      suppressAddress({ db, secret }, { email: recipient, reason: 'suppressed', mailId: id, at: now() }),
    ),
  )
  const statements = [...settled.map(({ statement }) => statement), ...suppressions]
  if (statements.length > 0) await retryWrite(() => db.batch(statements))
  for (const { id, dueAt } of settled) if (dueAt !== null) waiting.set(id, dueAt)
  return { later: waiting, busy: results.some(isBusy) || (results.length > 0 && results.every(isRetryable)) }
}

const isRetryable = ({ kind }: SendResult) => kind === 'later'
const isBusy = (outcome: SendResult) => outcome.kind === 'later' && outcome.busy === true
const isSuppressed = (outcome: SendResult) => outcome.kind === 'refused' && outcome.suppressed === true

const toOutgoingEmail = async ({
  id,
  kind,
  recipient,
  subject,
  text,
  html,
  headers,
}: ClaimedEmail): Promise<OutgoingEmail> => ({
  key: id,
  kind,
  to: recipient,
  subject,
  text,
  html,
  headers: JSON.parse(headers) as Record<string, string>,
})

/** Half a minute, doubled with each try, an hour at the most. */
export const retryDelay = (attempts: number): Millis => Math.min(30 * SECOND_MS * 2 ** (attempts - 1), HOUR_MS)

/** What an outcome does to its row. After too many tries a mail is failed, or in doubt where one of them got no answer: the administrator's to see and send again. */
function settleStatement(
  { db, now, stopWhenBusy: pausing }: Delivery,
  { id, attempts }: ClaimedEmail,
  outcome: SendResult,
) {
  const at = now()
  // A provider that has too much to do says nothing about this mail: a long list may hear it more often than any mail is tried.
  const uncounted = pausing === true && isBusy(outcome)
  const willRetry = outcome.kind === 'later' && (uncounted || attempts < limits.maxEmailAttempts)
  const dueAt = willRetry ? at + Math.max(retryDelay(attempts), outcome.afterMillis ?? 0) : null
  const inDoubt = outcome.kind === 'lost' || (outcome.kind === 'later' && outcome.doubt === true)
  const state = willRetry ? 'waiting' : { sent: 'sent', later: null, refused: 'failed', lost: 'unknown' }[outcome.kind]
  const statement = db
    .prepare(
      `UPDATE outbox SET claimed_at = NULL, due_at = coalesce(?3, due_at), attempts = attempts - ?7, in_doubt = max(in_doubt, ?8),
         state = CASE WHEN ?2 IS NULL OR (?2 = 'waiting' AND ${BROADCAST_CANCELLED_SQL}) THEN iif(max(in_doubt, ?8), 'unknown', 'failed') ELSE ?2 END,
         last_error = CASE WHEN ?2 = 'waiting' AND ${BROADCAST_CANCELLED_SQL} THEN 'The broadcast was cancelled.' ELSE ?4 END,
         provider_id = ?5, sent_at = CASE ?2 WHEN 'sent' THEN ?6 ELSE sent_at END
       WHERE id = ?1 AND state = 'waiting' AND claimed_at IS NOT NULL`,
    )
    .bind(
      id,
      state,
      dueAt,
      'why' in outcome ? outcome.why : null,
      'providerId' in outcome ? outcome.providerId : null,
      at,
      Number(uncounted),
      Number(inDoubt),
    )
  return { id, dueAt, statement }
}

/** What happened outside must be written down: a database that hiccups is asked twice more before it counts as lost. */
async function retryWrite<T>(write: () => Promise<T>): Promise<T> {
  return write().catch(write).catch(write)
}
