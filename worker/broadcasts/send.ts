import { type ClaimedEmail, type Delivery, deliverEmails } from '../email/deliver'
import type { OutgoingEmail } from '../email/provider'
import { unsubscribeHeaders } from '../email/render-email'
import { MINUTE_MS, type Millis, SECOND_MS } from '../lib/clock'
import { normalizeKey } from '../lib/email'
import { limits } from '../limits'
import { alertUnsubscribeLinks, newsletterUnsubscribeLinks } from '../newsletter/unsubscribe-links'
import { UNSUBSCRIBE_PLACEHOLDER } from './emails'
import { enqueueRecipientPage, type RecipientCursor } from './enqueue-recipients'

type SendingBroadcast = RecipientCursor & { text: string; html: string; origin: string }

/** `again`: there is more to do, at once or from an instant on. Null: nothing, or somebody else does it. */
export type NextRun = { resumeAt: Millis } | null

/**
 * One stretch of a broadcast: lists recipients in the outbox page by page, and hands their mails over, for some seconds
 * or some hundred mails. Whatever dies in between is taken up again: a page and its cursor are one batch, an address
 * has one row a broadcast, a row is claimed by one sender. Only a mail that was in a dead sender's hands is in doubt,
 * and that one is marked and not repeated.
 */
export async function sendBroadcastBatch(
  delivery: Delivery,
  id: string,
  patienceMillis: Millis = 20 * SECOND_MS,
): Promise<NextRun> {
  const { db, now } = delivery
  const began = now()
  const sending = await acquireLease(db, id, began)
  if (!sending) return null
  let next: Millis | null = began
  try {
    next = await sendUntil(delivery, sending, began + patienceMillis)
  } finally {
    // Also where it failed: whoever tries again need not wait until this sender counts as dead.
    await db
      .prepare('UPDATE broadcasts SET lease_until = ?2 WHERE id = ?1')
      .bind(id, next ?? 0)
      .run()
  }
  return next === null ? null : { resumeAt: next }
}

/** Works until the stretch is over; answers when to go on, null when there is nothing left. */
async function sendUntil(delivery: Delivery, sending: SendingBroadcast, until: Millis): Promise<Millis | null> {
  const { db, now } = delivery
  const compose = (row: ClaimedEmail) => composeForRecipient(delivery.secret, sending, row)
  let sentCount = 0
  while (now() < until && sentCount < limits.broadcastBatchSize) {
    const ids = await dueEmailIds(db, sending.id, now())
    if (ids.length > 0) {
      sentCount += ids.length
      const { waiting, leftOff } = await deliverEmails({ ...delivery, compose, stopWhenBusy: true }, ids)
      if (leftOff) return Math.min(...waiting.values())
    } else if (!sending.listed) await enqueueRecipientPage(db, sending, now())
    else return finishOrNextDueAt(db, sending.id, now())
  }
  return now()
}

/** Takes the broadcast for one sender, and begins one whose time has come. */
function acquireLease(db: D1Database, id: string, now: Millis): Promise<SendingBroadcast | null> {
  return db
    .prepare(
      `UPDATE broadcasts SET lease_until = ?2 + ${limits.broadcastLeaseMinutes * MINUTE_MS}, state = 'sending',
         started_at = coalesce(started_at, ?2)
       WHERE id = ?1 AND lease_until <= ?2 AND (state = 'sending' OR (state = 'scheduled' AND scheduled_at <= ?2))
       RETURNING id, subject, text, html, audience, audience_key AS key, origin, listed_at IS NOT NULL AS listed, cursor`,
    )
    .bind(id, now)
    .first<SendingBroadcast>()
}

/** The next mails to hand over. */
async function dueEmailIds(db: D1Database, id: string, now: Millis): Promise<string[]> {
  const { results } = await db
    .prepare(
      `SELECT id FROM outbox
       WHERE broadcast_id = ?1 AND state = 'waiting' AND due_at <= ?2 AND claimed_at IS NULL LIMIT 100`,
    )
    .bind(id, now)
    .all<{ id: string }>()
  return results.map((row) => row.id)
}

/** Done when no copy waits; else the instant from which there is something to do. Null when it is over. */
async function finishOrNextDueAt(db: D1Database, id: string, now: Millis): Promise<Millis | null> {
  const [, waiting] = await db.batch<{ due: Millis | null; claimed: number }>([
    db
      .prepare(
        `UPDATE broadcasts SET state = 'done', finished_at = ?2 WHERE id = ?1 AND state = 'sending'
         AND NOT EXISTS (SELECT 1 FROM outbox WHERE broadcast_id = ?1 AND state = 'waiting')`,
      )
      .bind(id, now),
    db
      .prepare(
        `SELECT min(CASE WHEN claimed_at IS NULL THEN due_at END) AS due, count(claimed_at) AS claimed
         FROM outbox WHERE broadcast_id = ?1 AND state = 'waiting'`,
      )
      .bind(id),
  ])
  const [row] = waiting?.results ?? []
  if (row?.due != null) return Math.max(row.due, now + SECOND_MS)
  // In another sender's hands, or in a dead one's: the sweep will say which.
  return row?.claimed ? now + MINUTE_MS : null
}

/** One recipient's copy: the broadcast's words, with their own way out. */
async function composeForRecipient(
  secret: string,
  sending: SendingBroadcast,
  row: ClaimedEmail,
): Promise<OutgoingEmail> {
  const deps = { secret, origin: sending.origin }
  const unsubscribeLinks = sending.audience === 'alerts' ? alertUnsubscribeLinks : newsletterUnsubscribeLinks
  const unsubscribe = await unsubscribeLinks(deps, normalizeKey(row.recipient))
  return {
    key: row.id,
    kind: row.kind,
    to: row.recipient,
    subject: sending.subject,
    text: sending.text.replaceAll(UNSUBSCRIBE_PLACEHOLDER, unsubscribe.pageUrl),
    html: sending.html.replaceAll(UNSUBSCRIBE_PLACEHOLDER, unsubscribe.pageUrl),
    headers: unsubscribeHeaders(unsubscribe),
  }
}
