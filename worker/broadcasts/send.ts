import { MINUTE, type Millis, SECOND } from '../lib/clock'
import { fold } from '../lib/fold'
import { limits } from '../limits'
import { WAY_OUT } from '../mail/broadcast-letter'
import { type Claimed, type Delivery, deliver } from '../mail/deliver'
import { listHeaders } from '../mail/letter'
import type { Mail } from '../mail/provider'
import { alertWayOut, newsletterWayOut } from '../newsletter/way-out'
import { type Listing, listPage } from './listing'

type Sending = Listing & { text: string; html: string; origin: string }

/** `again`: there is more to do, at once or from an instant on. Null: nothing, or somebody else does it. */
export type Next = { again: Millis } | null

/**
 * One stretch of a broadcast: lists recipients in the outbox page by page, and hands their mails over, for some seconds
 * or some hundred mails. Whatever dies in between is taken up again: a page and its cursor are one batch, an address
 * has one row a broadcast, a row is claimed by one sender. Only a mail that was in a dead sender's hands is in doubt,
 * and that one is marked and not repeated.
 */
export async function sendStretch(delivery: Delivery, id: string, patienceMillis: Millis = 20 * SECOND): Promise<Next> {
  const { db, now } = delivery
  const began = now()
  const sending = await lease(db, id, began)
  if (!sending) return null
  let next: Millis | null = began
  try {
    next = await goOn(delivery, sending, began + patienceMillis)
  } finally {
    // Also where it failed: whoever tries again need not wait until this sender counts as dead.
    await db
      .prepare('UPDATE broadcasts SET lease_until = ?2 WHERE id = ?1')
      .bind(id, next ?? 0)
      .run()
  }
  return next === null ? null : { again: next }
}

/** Works until the stretch is over; answers when to go on, null when there is nothing left. */
async function goOn(delivery: Delivery, sending: Sending, until: Millis): Promise<Millis | null> {
  const { db, now } = delivery
  const compose = (row: Claimed) => copyFor(delivery.secret, sending, row)
  let handed = 0
  while (now() < until && handed < limits.broadcastStretch) {
    const ids = await due(db, sending.id, now())
    if (ids.length > 0) {
      handed += ids.length
      const { waiting, leftOff } = await deliver({ ...delivery, compose, pausing: true }, ids)
      if (leftOff) return Math.min(...waiting.values())
    } else if (!sending.listed) await listPage(db, sending, now())
    else return finishOrWait(db, sending.id, now())
  }
  return now()
}

/** Takes the broadcast for one sender, and begins one whose time has come. */
function lease(db: D1Database, id: string, now: Millis): Promise<Sending | null> {
  return db
    .prepare(
      `UPDATE broadcasts SET lease_until = ?2 + ${limits.broadcastLeaseMinutes * MINUTE}, state = 'sending',
         started_at = coalesce(started_at, ?2)
       WHERE id = ?1 AND lease_until <= ?2 AND (state = 'sending' OR (state = 'scheduled' AND scheduled_at <= ?2))
       RETURNING id, subject, text, html, audience, audience_key AS key, origin, listed_at IS NOT NULL AS listed, cursor`,
    )
    .bind(id, now)
    .first<Sending>()
}

/** The next mails to hand over. */
async function due(db: D1Database, id: string, now: Millis): Promise<string[]> {
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
async function finishOrWait(db: D1Database, id: string, now: Millis): Promise<Millis | null> {
  const [, rest] = await db.batch<{ due: Millis | null; claimed: number }>([
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
  const [row] = rest?.results ?? []
  if (row?.due != null) return Math.max(row.due, now + SECOND)
  // In another sender's hands, or in a dead one's: the sweep will say which.
  return row?.claimed ? now + MINUTE : null
}

/** One recipient's copy: the broadcast's words, with their own way out. */
async function copyFor(secret: string, sending: Sending, row: Claimed): Promise<Mail> {
  const house = { secret, origin: sending.origin }
  const leave = sending.audience === 'alerts' ? alertWayOut : newsletterWayOut
  const unsubscribe = await leave(house, fold(row.recipient))
  return {
    key: row.id,
    kind: row.kind,
    to: row.recipient,
    subject: sending.subject,
    text: sending.text.replaceAll(WAY_OUT, unsubscribe.page),
    html: sending.html.replaceAll(WAY_OUT, unsubscribe.page),
    headers: listHeaders(unsubscribe),
  }
}
