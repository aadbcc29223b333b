import { sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { type Db, openDb, prepare } from '../db/client'
import { type ClaimedEmail, createDelivery, type DeliveryDeps, deliverEmails } from '../email/deliver'
import { unsubscribeLinks } from '../email/link-tokens'
import type { OutgoingEmail } from '../email/providers'
import { delaySeconds } from '../email/queue'
import { unsubscribeHeaders } from '../email/render-email'
import type { Env } from '../env'
import { MINUTE_MS, type Millis, SECOND_MS } from '../lib/clock'
import { normalizeKey } from '../lib/email'
import { limits } from '../limits'
import { createJobHandler } from '../queue-handler'
import { type AudienceKind, recipientPageSql } from './audience'
import { withUnsubscribeUrl } from './emails'

const BroadcastMessage = z.object({ kind: z.literal('broadcast'), id: z.string() })

const BATCH_TIMEOUT_MS: Millis = 20 * SECOND_MS
const ERROR_RETRY_SECONDS = 30

/** Progress of enqueuing a broadcast's recipients: each gets a row in the outbox. */
export type RecipientCursor = {
  id: string
  subject: string
  audience: AudienceKind
  /** The normalized city or the tier; null for all. */
  key: string | null
  /** 1 once every recipient has a row. */
  isEnqueued: number
  /** `row_key` of the last recipient enqueued; empty before the first. */
  cursor: string
}

type SendingBroadcast = RecipientCursor & { text: string; html: string; origin: string }

/** When to continue the broadcast; null if it is finished or another sender has the lease. */
type NextRun = { resumeAt: Millis } | null

/** Sends one batch of emails per queue message, then a queue message for the next batch. */
export const broadcastHandler = createJobHandler({
  schema: BroadcastMessage,
  retrySeconds: ERROR_RETRY_SECONDS,
  async run(job, env, now) {
    const next = await sendBroadcastBatch(await createDelivery(env, now), job.id)
    if (next) await env.BROADCASTS.send(job, { delaySeconds: delaySeconds(next.resumeAt, now()) })
    return true
  },
})

/** Five-minute job: starts due broadcasts, and continues those whose sender crashed or whose queue message was lost. */
export async function resumeBroadcasts({ DB, BROADCASTS }: Pick<Env, 'DB' | 'BROADCASTS'>, now: Millis): Promise<void> {
  const rows = await openDb(DB).all<{ id: string }>(
    sql`UPDATE broadcasts SET lease_until = 0 WHERE lease_until <= ${now}
      AND (state = 'sending' OR (state = 'scheduled' AND scheduled_at <= ${now})) RETURNING id`,
  )
  for (const { id } of rows) await BROADCASTS.send({ kind: 'broadcast', id })
}

/**
 * Enqueues recipients page by page and sends their emails until a time or count limit. Safe to repeat after a crash: a
 * page and its cursor are written in one batch, and an address has one outbox row per broadcast. An email that a
 * crashed sender had claimed becomes `unknown`.
 */
export async function sendBroadcastBatch(
  delivery: DeliveryDeps,
  id: string,
  timeoutMs: Millis = BATCH_TIMEOUT_MS,
): Promise<NextRun> {
  const { db, now } = delivery
  const startedAt = now()
  const broadcast = await acquireLease(db, id, startedAt)
  if (!broadcast) return null
  let next: Millis | null = startedAt
  try {
    next = await sendUntil(delivery, broadcast, startedAt + timeoutMs)
  } finally {
    // Also after an error, so that a retry need not wait for the lease to expire.
    await db.run(sql`UPDATE broadcasts SET lease_until = ${next ?? 0} WHERE id = ${id}`)
  }
  return next === null ? null : { resumeAt: next }
}

/** @returns when to continue, null if there is nothing left. */
async function sendUntil(delivery: DeliveryDeps, broadcast: SendingBroadcast, until: Millis): Promise<Millis | null> {
  const { db, now } = delivery
  const compose = (row: ClaimedEmail) => composeForRecipient(delivery.secret, broadcast, row)
  let sentCount = 0
  while (now() < until && sentCount < limits.broadcastBatchSize) {
    const ids = await findDueEmailIds(db, broadcast.id, now())
    if (ids.length > 0) {
      sentCount += ids.length
      const { waiting, stopped } = await deliverEmails({ ...delivery, compose, stopWhenBusy: true }, ids)
      // The provider is busy: continue when the first email is due again.
      if (stopped) return Math.min(...waiting.values())
    } else if (!broadcast.isEnqueued) await enqueueRecipientPage(db, broadcast, now())
    else return finishOrFindNextDueAt(db, broadcast.id, now())
  }
  return now()
}

/** Takes the lease of a broadcast that is being sent or due. Null if there is none to take. */
async function acquireLease(db: Db, id: string, now: Millis): Promise<SendingBroadcast | null> {
  const [broadcast] = await db.all<SendingBroadcast>(
    sql`UPDATE broadcasts SET lease_until = ${now + limits.broadcastLeaseMinutes * MINUTE_MS}, state = 'sending',
        started_at = coalesce(started_at, ${now})
      WHERE id = ${id} AND lease_until <= ${now}
        AND (state = 'sending' OR (state = 'scheduled' AND scheduled_at <= ${now}))
      RETURNING id, subject, text, html, audience, audience_key AS key, origin, listed_at IS NOT NULL AS isEnqueued, cursor`,
  )
  return broadcast ?? null
}

/**
 * Writes a page of recipients into the outbox and moves the cursor, in one batch, and updates `broadcast` to match. SQL
 * copies the rows, so memory does not grow with the audience. Enqueues nothing once the broadcast is canceled.
 */
export async function enqueueRecipientPage(db: Db, broadcast: RecipientCursor, now: Millis): Promise<void> {
  const { id, audience, key, subject } = broadcast
  const page = recipientPageSql(audience)
  const [, cursorUpdate] = await db.$client.batch<{ cursor: string; isEnqueued: number }>([
    db.$client
      .prepare(
        `INSERT INTO outbox (id, dedupe_key, kind, recipient, subject, text, html, broadcast_id, created_at, queued_at)
         SELECT 'mail_' || lower(hex(randomblob(15))), 'broadcast:' || ?1 || ':' || email_key, ?4, email, ?5, '', '', ?1, ?6, ?6
         FROM (${page}) WHERE EXISTS (SELECT 1 FROM broadcasts WHERE id = ?1 AND state = 'sending') ON CONFLICT DO NOTHING`,
      )
      .bind(id, broadcast.cursor, key, audience === 'alerts' ? 'show_alert' : 'broadcast', subject, now),
    db.$client
      .prepare(
        `UPDATE broadcasts SET cursor = coalesce((SELECT max(row_key) FROM (${page})), cursor),
           listed_at = CASE WHEN EXISTS (SELECT 1 FROM (${page})) THEN listed_at ELSE ?4 END
         WHERE id = ?1 AND state = 'sending' RETURNING cursor, listed_at IS NOT NULL AS isEnqueued`,
      )
      .bind(id, broadcast.cursor, key, now),
  ])
  const [row] = cursorUpdate?.results ?? []
  broadcast.cursor = row?.cursor ?? broadcast.cursor
  // No row: the broadcast was canceled, so no more recipients are enqueued.
  broadcast.isEnqueued = row?.isEnqueued ?? 1
}

async function findDueEmailIds(db: Db, id: string, now: Millis): Promise<string[]> {
  const rows = await db.all<{ id: string }>(
    sql`SELECT id FROM outbox
      WHERE broadcast_id = ${id} AND state = 'waiting' AND due_at <= ${now} AND claimed_at IS NULL LIMIT 100`,
  )
  return rows.map((row) => row.id)
}

/** Finishes the broadcast if no email is waiting. @returns when the next email is due; null once it is finished. */
async function finishOrFindNextDueAt(db: Db, id: string, now: Millis): Promise<Millis | null> {
  const [, waiting] = await db.$client.batch<{ nextDueAt: Millis | null; claimed: number }>([
    prepare(
      db,
      sql`UPDATE broadcasts SET state = 'done', finished_at = ${now} WHERE id = ${id} AND state = 'sending'
        AND NOT EXISTS (SELECT 1 FROM outbox WHERE broadcast_id = ${id} AND state = 'waiting')`,
    ),
    prepare(
      db,
      sql`SELECT min(CASE WHEN claimed_at IS NULL THEN due_at END) AS nextDueAt, count(claimed_at) AS claimed
        FROM outbox WHERE broadcast_id = ${id} AND state = 'waiting'`,
    ),
  ])
  const [row] = waiting?.results ?? []
  if (row?.nextDueAt != null) return Math.max(row.nextDueAt, now + SECOND_MS)
  // Another sender has claimed the rest. If it crashed, `markStaleClaimsUnknown` ends its claims.
  return row?.claimed ? now + MINUTE_MS : null
}

async function composeForRecipient(
  secret: string,
  { audience, origin, subject, text, html }: SendingBroadcast,
  { id: key, kind, recipient: to }: ClaimedEmail,
): Promise<OutgoingEmail> {
  const list = audience === 'alerts' ? 'alerts' : 'newsletter'
  const links = await unsubscribeLinks({ secret, origin }, list, normalizeKey(to))
  const body = withUnsubscribeUrl({ text, html }, links.pageUrl)
  return { key, kind, to, subject, ...body, headers: unsubscribeHeaders(links) }
}
