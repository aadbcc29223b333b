import { resolve4, resolve6 } from 'node:dns/promises'
import { eq, type SQL, sql } from 'drizzle-orm'
import { Webhook as Signer } from 'standardwebhooks'
import * as z from 'zod/mini'
import { combineLookups } from '../community/previews/public-address'
import { RETENTION } from '../contract/retention'
import { type Db, openDb, prepare } from '../db/client'
import type { Deps } from '../deps'
import { enqueueEmail } from '../email/outbox'
import { readConfig } from '../env'
import { AppError } from '../lib/app-error'
import { DAY_MS, HOUR_MS, MINUTE_MS, type Millis, SECOND_MS } from '../lib/clock'
import { decrypt } from '../lib/crypto'
import { logError } from '../lib/log'
import { limits } from '../limits'
import { createJobHandler, MAX_QUEUE_BATCH, MAX_QUEUE_DELAY_MS } from '../queue-handler'
import { webhookDisabledEmail } from './emails'
import { arePublic, deliveryBody, parseWebhookUrl, SECRET_PURPOSE, toUrlRules, type UrlRules } from './webhooks'
import { type DeliveryAttempt, webhookDeliveries, webhooks } from './webhooks.table'

const WebhookMessage = z.object({ kind: z.literal('webhook'), id: z.string() })
type WebhookJob = z.infer<typeof WebhookMessage>

/** Pauses after each failed attempt: three days in all. */
export const RETRY_DELAYS_MS: readonly Millis[] = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
]
/** An attempt that has no result after this time counts as lost. */
const LEASE_MS: Millis = MINUTE_MS
const MAX_STORED_ATTEMPTS = 10
const DELETE_BATCH_SIZE = 2_000
const HTTP_GONE = 410

/** DNS and HTTP; tests pass their own. */
export type WebhookClient = {
  resolve: (name: string) => Promise<readonly string[]>
  fetch: (url: string, init: RequestInit) => Promise<Response>
}
const webClient: WebhookClient = {
  resolve: combineLookups([(name) => resolve4(name), (name) => resolve6(name)]),
  fetch: (url, init) => fetch(url, init),
}

type Delivery = typeof webhookDeliveries.$inferSelect
type WebhookRow = typeof webhooks.$inferSelect

/** Sends a queue message for each due delivery. A duplicate message finds nothing to claim. */
export async function enqueueDueDeliveries(db: Db, queue: Queue<WebhookJob>, now: Millis): Promise<void> {
  for (;;) {
    const rows = await db.all<{ id: string }>(
      sql`UPDATE webhook_deliveries SET queued_at = ${now} WHERE id IN (
          SELECT d.id FROM webhook_deliveries d JOIN webhooks w ON w.id = d.webhook_id AND w.disabled_at IS NULL
          WHERE d.state = 'waiting' AND d.due_at <= ${now}
            AND (d.queued_at IS NULL OR d.queued_at <= ${now - limits.webhookOverdueMinutes * MINUTE_MS})
          ORDER BY d.due_at LIMIT ${MAX_QUEUE_BATCH})
        RETURNING id`,
    )
    if (rows.length > 0) await queue.sendBatch(rows.map(({ id }) => ({ body: { kind: 'webhook', id } })))
    if (rows.length < MAX_QUEUE_BATCH) return
  }
}

/**
 * Five-minute job: puts public releases that came out in the last days into the outbox. Triggers cannot, because
 * nothing is written when a release comes out.
 */
export async function reportReleases(db: Db, at: Millis): Promise<void> {
  const since = at - limits.releaseReportDays * DAY_MS
  await db.run(
    sql`INSERT INTO webhook_deliveries (id, webhook_id, event_id, event_type, data, created_at)
      SELECT 'whd_' || lower(hex(randomblob(12))), w.id, 'evt_release_published_' || r.id, 'release.published',
        json_object('releaseId', r.id, 'slug', r.slug, 'title', r.title), r.released_at
      FROM releases r JOIN webhooks w ON w.disabled_at IS NULL AND r.released_at > w.created_at
        AND EXISTS (SELECT 1 FROM json_each(w.events) WHERE value = 'release.published')
      WHERE r.removed_at IS NULL AND r.released_at > ${since} AND r.released_at <= ${at}
        AND EXISTS (SELECT 1 FROM release_tracks rt JOIN tracks t ON t.id = rt.track_id
          WHERE rt.release_id = r.id AND t.removed_at IS NULL)
      ON CONFLICT DO NOTHING`,
  )
}

/** Daily job: deletes deliveries after their retention period. */
export async function deleteOldDeliveries({ db }: Pick<Deps, 'db'>, at: Millis) {
  const until = at - RETENTION.webhookDeliveryDays * DAY_MS
  const { meta } = await db.run(
    sql`DELETE FROM webhook_deliveries WHERE id IN (
      SELECT id FROM webhook_deliveries WHERE created_at <= ${until} LIMIT ${DELETE_BATCH_SIZE})`,
  )
  return { affected: meta.changes, more: meta.changes >= DELETE_BATCH_SIZE }
}

/**
 * Makes one attempt to deliver. After a failure, the delivery is queued again with a delay; the five-minute job finds
 * deliveries whose message was lost or whose delay is too long for the queue.
 */
export const webhookHandler = (client = webClient) =>
  createJobHandler({
    schema: WebhookMessage,
    retrySeconds: 30,
    isConcurrent: true,
    async run(job, env, now) {
      const config = readConfig(env)
      const { signingSecret: secret, jobOrigin } = config
      const deps = { db: openDb(env.DB), secret, origin: jobOrigin, rules: toUrlRules(config), client }
      try {
        const retryAt = await deliverWebhook(deps, job.id, now)
        const delay = (retryAt ?? 0) - now()
        if (retryAt !== null && delay <= MAX_QUEUE_DELAY_MS)
          // The preview queue also carries webhooks: see queues.ts.
          await env.PREVIEWS.send(job, { delaySeconds: Math.max(1, Math.ceil(delay / SECOND_MS)) })
      } catch (error) {
        logError('webhook', error)
      }
      return true
    },
  })

type DeliveryDeps = Pick<Deps, 'db' | 'secret' | 'origin'> & { rules: UrlRules; client: WebhookClient }

/** Makes one attempt of a due delivery and records its result. Returns when to try again; null if not at all. */
async function deliverWebhook(deps: DeliveryDeps, id: string, now: () => Millis): Promise<Millis | null> {
  const { db } = deps
  const startedAt = now()
  const [claimed] = await db
    .update(webhookDeliveries)
    .set({ dueAt: startedAt + LEASE_MS, tries: sql`tries + 1` })
    .where(
      sql`${webhookDeliveries.id} = ${id} AND state = 'waiting' AND due_at <= ${startedAt}
        AND EXISTS (SELECT 1 FROM webhooks WHERE id = webhook_id AND disabled_at IS NULL)`,
    )
    .returning()
  if (!claimed) return null
  const [webhook] = await db.select().from(webhooks).where(eq(webhooks.id, claimed.webhookId))
  if (!webhook) return null
  const result = await sendRequest(deps, claimed, webhook, startedAt)
  const entry: DeliveryAttempt = { at: startedAt, milliseconds: now() - startedAt, ...result }
  const attempts = JSON.stringify([...claimed.attempts, entry].slice(-MAX_STORED_ATTEMPTS))
  // False if an administrator has started a replay meanwhile, which sets `tries` to 0.
  const isCurrentAttempt = sql`id = ${id} AND state = 'waiting' AND tries = ${claimed.tries}`
  if (result.error === null) {
    await db.run(
      sql`UPDATE webhook_deliveries SET state = 'delivered', delivered_at = ${now()}, attempts = ${attempts} WHERE ${isCurrentAttempt}`,
    )
    return null
  }
  const delay = result.status === HTTP_GONE ? undefined : RETRY_DELAYS_MS[claimed.tries - 1]
  if (delay === undefined) {
    await giveUp(deps, { claimed, webhook, attempts, isCurrentAttempt, isGone: result.status === HTTP_GONE }, now())
    return null
  }
  const dueAt = now() + delay
  // A delay that the queue cannot hold is left to the five-minute job.
  const queuedAt = delay <= MAX_QUEUE_DELAY_MS ? dueAt : null
  await db.run(
    sql`UPDATE webhook_deliveries SET due_at = ${dueAt}, queued_at = ${queuedAt}, attempts = ${attempts} WHERE ${isCurrentAttempt}`,
  )
  return dueAt
}

/** `status` is null without a response; `error` is null if the receiver accepted the event. */
type AttemptResult = { status: number | null; error: string | null }
const NOT_PUBLIC: AttemptResult = { status: null, error: 'The address does not lead to a public server.' }

async function sendRequest(
  { secret, rules, client }: DeliveryDeps,
  delivery: Delivery,
  webhook: WebhookRow,
  at: Millis,
): Promise<AttemptResult> {
  const body = deliveryBody(delivery)
  let signature: string
  try {
    signature = await signBody(secret, webhook, { id: delivery.eventId, body, at })
  } catch {
    return { status: null, error: 'The signing secret can no longer be decrypted. Replace it.' }
  }
  try {
    const url = new URL(parseWebhookUrl(webhook.url, rules))
    if (!rules.isDemo && !arePublic(await client.resolve(url.hostname))) return NOT_PUBLIC
    const response = await client.fetch(url.href, {
      method: 'POST',
      redirect: 'manual',
      signal: AbortSignal.timeout(limits.webhookTimeoutSeconds * SECOND_MS),
      headers: {
        'content-type': 'application/json',
        'user-agent': 'ArtistHouse-Webhooks/1.0',
        'webhook-id': delivery.eventId,
        'webhook-timestamp': String(Math.floor(at / SECOND_MS)),
        'webhook-signature': signature,
      },
      body,
    })
    await response.body?.cancel().catch(() => undefined)
    const { status, ok } = response
    if (ok) return { status, error: null }
    return {
      status,
      error: status >= 300 && status < 400 ? 'Redirects are not followed.' : `The receiver answered ${status}.`,
    }
  } catch (error) {
    // The address is no longer allowed: the site may have moved to its host.
    if (error instanceof AppError) return NOT_PUBLIC
    const isTimeout = error instanceof Error && error.name === 'TimeoutError'
    return {
      status: null,
      error: isTimeout ? 'The receiver did not answer in time.' : 'The receiver could not be reached.',
    }
  }
}

/** Signatures of the Standard Webhooks specification, one for each valid secret. */
async function signBody(
  secret: string,
  { encryptedSecret, previousEncryptedSecret, previousUntil }: WebhookRow,
  { id, body, at }: { id: string; body: string; at: Millis },
): Promise<string> {
  const hasPrevious = previousEncryptedSecret !== null && previousUntil !== null && previousUntil > at
  const encrypted = hasPrevious ? [encryptedSecret, previousEncryptedSecret] : [encryptedSecret]
  const keys = await Promise.all(encrypted.map((text) => decrypt(secret, SECRET_PURPOSE, text)))
  return keys.map((key) => new Signer(key, { format: 'raw' }).sign(id, new Date(at), body)).join(' ')
}

/**
 * Fails the delivery. Turns the webhook off, with an email to the owners, if the receiver is gone, or has received
 * nothing since this delivery was created.
 */
async function giveUp(
  { db, origin }: Pick<Deps, 'db' | 'origin'>,
  {
    claimed,
    webhook,
    attempts,
    isCurrentAttempt,
    isGone,
  }: { claimed: Delivery; webhook: WebhookRow; attempts: string; isCurrentAttempt: SQL; isGone: boolean },
  at: Millis,
): Promise<void> {
  const reason = isGone ? 'gone' : 'failing'
  const owners = await db.all<{ id: number; email: string; siteName: string }>(
    sql`SELECT u.id, u.email, coalesce((SELECT name FROM site), 'Your site') AS siteName
      FROM team_members t JOIN users u ON u.id = t.user_id
      WHERE t.role = 'owner' AND u.email IS NOT NULL AND u.email_verified_at IS NOT NULL`,
  )
  const host = new URL(webhook.url).host
  await db.$client.batch([
    prepare(db, sql`UPDATE webhook_deliveries SET state = 'failed', attempts = ${attempts} WHERE ${isCurrentAttempt}`),
    prepare(
      db,
      sql`UPDATE webhooks SET disabled_at = ${at}, disabled_reason = ${reason}
        WHERE id = ${webhook.id} AND disabled_at IS NULL AND (${isGone} OR NOT EXISTS (
          SELECT 1 FROM webhook_deliveries WHERE webhook_id = ${webhook.id} AND delivered_at > ${claimed.createdAt}))`,
    ),
    ...owners.map(({ id, email, siteName }) =>
      enqueueEmail(db, {
        to: email,
        email: webhookDisabledEmail({ siteName, origin, host, isGone }),
        dedupeKey: `webhook-disabled:${webhook.id}:${id}:${at}`,
        at,
        when: sql`EXISTS (SELECT 1 FROM webhooks WHERE id = ${webhook.id} AND disabled_at = ${at})`,
      }),
    ),
  ])
}
