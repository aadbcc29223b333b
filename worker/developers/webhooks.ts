import { desc, eq, sql } from 'drizzle-orm'
import { recordAuditIfChanged } from '../audit/audit'
import { isPublicAddress, parsePublicUrl } from '../community/previews/public-address'
import type { Webhook, WebhookDelivery, WebhookDraft } from '../contract/developers'
import { RETENTION } from '../contract/retention'
import { type Db, prepare } from '../db/client'
import type { Actor, Deps } from '../deps'
import { AppError } from '../lib/app-error'
import { DAY_MS, type Millis, toIso } from '../lib/clock'
import { encrypt, newId } from '../lib/crypto'
import { limits } from '../limits'
import { webhookDeliveries, webhooks } from './webhooks.table'

type WebhookDeps = Pick<Deps, 'db' | 'secret'>
/** A demo may send to any address. A public site sends neither to private addresses nor to itself. */
export type UrlRules = { isDemo: boolean; ownHost: string | null }

export const toUrlRules = ({ isDemo, origin }: { isDemo: boolean; origin: string | null }): UrlRules => ({
  isDemo,
  ownHost: origin && new URL(origin).hostname,
})

export const SECRET_PURPOSE = 'webhook-secret'
const MAX_WEBHOOKS = 20
/** After a rotation, requests are signed with both secrets for this time. */
const ROTATION_OVERLAP_MS: Millis = DAY_MS

const webhookNotFoundError = () => new AppError('not_found', 'That webhook does not exist.')

/** The normalized address of a receiver. @throws AppError `bad_input`. */
export function parseWebhookUrl(text: string, { isDemo, ownHost }: UrlRules): string {
  const isLocalAllowed = isDemo && URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
  const url = isLocalAllowed ? new URL(text) : parsePublicUrl(text, ownHost)
  if (url?.username !== '' || url.password !== '')
    throw new AppError(
      'bad_input',
      'Please enter a public address of another site that begins with https://, without a port or password.',
    )
  url.hash = ''
  return url.href
}

/** Whether every resolved address is public. */
export const arePublic = (addresses: readonly string[]) => addresses.length > 0 && addresses.every(isPublicAddress)

async function newWebhookSecret(siteSecret: string): Promise<{ shown: string; encrypted: string }> {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  return {
    shown: `whsec_${btoa(String.fromCharCode(...bytes))}`,
    encrypted: await encrypt(siteSecret, SECRET_PURPOSE, bytes),
  }
}

function toWebhook(
  { id, url, events, createdAt, disabledReason, previousUntil }: typeof webhooks.$inferSelect,
  now: Millis,
): Webhook {
  const isPreviousValid = previousUntil !== null && previousUntil > now
  return {
    id,
    url,
    events,
    createdAt: toIso(createdAt),
    state: disabledReason ?? 'active',
    previousSecretUntil: isPreviousValid ? toIso(previousUntil) : null,
  }
}

export async function listWebhooks(db: Db, now: Millis): Promise<Webhook[]> {
  const rows = await db.select().from(webhooks).orderBy(desc(webhooks.createdAt), desc(webhooks.id))
  return rows.map((row) => toWebhook(row, now))
}

const uniqueJson = (events: readonly string[]) => JSON.stringify([...new Set(events)])

/** Adds a webhook; its secret is returned once. @throws AppError `bad_input`, `conflict` for too many. */
export async function addWebhook(
  { db, secret }: WebhookDeps,
  { url, events }: Omit<WebhookDraft, 'enabled'>,
  rules: UrlRules,
  { actorId, at }: Actor,
): Promise<Webhook & { secret: string }> {
  const id = newId('wh')
  const address = parseWebhookUrl(url, rules)
  const { shown, encrypted } = await newWebhookSecret(secret)
  const [added] = await db.$client.batch([
    prepare(
      db,
      sql`INSERT INTO webhooks (id, url, events, sealed_secret, created_at)
        SELECT ${id}, ${address}, ${uniqueJson(events)}, ${encrypted}, ${at}
        WHERE (SELECT count(*) FROM webhooks) < ${MAX_WEBHOOKS}`,
    ),
    recordAuditIfChanged(db, { actorId, action: 'webhook.added', subject: `webhook:${id}`, at }),
  ])
  if (added?.meta.changes === 0)
    throw new AppError('conflict', `A site has at most ${MAX_WEBHOOKS} webhooks. Please delete one first.`)
  return {
    id,
    url: address,
    events: [...new Set(events)],
    createdAt: toIso(at),
    state: 'active',
    previousSecretUntil: null,
    secret: shown,
  }
}

/** Runs a statement for a webhook with its audit entry. @throws AppError `not_found` if it changes no row. */
async function runAudited(db: Db, statement: D1PreparedStatement, action: string, id: string, { actorId, at }: Actor) {
  const [changed] = await db.$client.batch([
    statement,
    recordAuditIfChanged(db, { actorId, action, subject: `webhook:${id}`, at }),
  ])
  if (changed?.meta.changes === 0) throw webhookNotFoundError()
}

/** Saves the address, the events and whether the webhook is on. @throws AppError `bad_input`, `not_found`. */
export async function changeWebhook(
  db: Db,
  { id, url, events, enabled }: WebhookDraft & { id: string },
  rules: UrlRules,
  actor: Actor,
): Promise<void> {
  const newState = enabled
    ? sql`disabled_at = NULL, disabled_reason = NULL`
    : sql`disabled_at = coalesce(disabled_at, ${actor.at}), disabled_reason = coalesce(disabled_reason, 'off')`
  const update = sql`UPDATE webhooks SET url = ${parseWebhookUrl(url, rules)}, events = ${uniqueJson(events)}, ${newState}
    WHERE id = ${id}`
  await runAudited(db, prepare(db, update), 'webhook.changed', id, actor)
}

/** Deletes a webhook with its deliveries. @throws AppError `not_found`. */
export const removeWebhook = (db: Db, id: string, actor: Actor) =>
  runAudited(db, prepare(db, sql`DELETE FROM webhooks WHERE id = ${id}`), 'webhook.removed', id, actor)

/** Replaces the secret. For a day, requests are signed with the old one too. @throws AppError `not_found`. */
export async function rotateSecret({ db, secret }: WebhookDeps, id: string, actor: Actor): Promise<string> {
  const { shown, encrypted } = await newWebhookSecret(secret)
  const update = sql`UPDATE webhooks SET previous_sealed_secret = sealed_secret, sealed_secret = ${encrypted},
    previous_until = ${actor.at + ROTATION_OVERLAP_MS} WHERE id = ${id}`
  await runAudited(db, prepare(db, update), 'webhook.rotated', id, actor)
  return shown
}

/** Puts a `test` event into the outbox. @throws AppError `not_found`, `conflict` for a webhook that is off. */
export async function sendTestEvent(db: Db, id: string, actor: Actor): Promise<void> {
  await requireActive(db, eq(webhooks.id, id))
  const insert = sql`INSERT INTO webhook_deliveries (id, webhook_id, event_id, event_type, data, created_at)
    SELECT ${newId('whd')}, id, ${newId('evt_test')}, 'test', '{}', ${actor.at} FROM webhooks WHERE id = ${id}`
  await runAudited(db, prepare(db, insert), 'webhook.tested', id, actor)
}

async function requireActive(db: Db, condition: ReturnType<typeof eq>): Promise<void> {
  const [row] = await db.select({ disabledAt: webhooks.disabledAt }).from(webhooks).where(condition)
  if (!row) throw webhookNotFoundError()
  if (row.disabledAt !== null) throw new AppError('conflict', 'This webhook is off. Please turn it on first.')
}

/** The latest deliveries of a webhook, newest first. @throws AppError `not_found`. */
export async function listDeliveries(db: Db, id: string): Promise<WebhookDelivery[]> {
  const [webhook] = await db.select({ id: webhooks.id }).from(webhooks).where(eq(webhooks.id, id))
  if (!webhook) throw webhookNotFoundError()
  const rows = await db
    .select()
    .from(webhookDeliveries)
    .where(eq(webhookDeliveries.webhookId, id))
    .orderBy(desc(webhookDeliveries.createdAt), desc(webhookDeliveries.id))
    .limit(limits.maxWebhookDeliveriesListed)
  return rows.map((row) => ({
    id: row.id,
    eventId: row.eventId,
    type: row.eventType,
    state: row.state,
    createdAt: toIso(row.createdAt),
    nextAttemptAt: row.state === 'waiting' ? toIso(Math.max(row.dueAt, row.createdAt)) : null,
    body: deliveryBody(row),
    attempts: row.attempts.map(({ at, ...attempt }) => ({ at: toIso(at), ...attempt })),
  }))
}

/** The JSON that is signed and sent: the same for every attempt. */
export const deliveryBody = ({ eventType, createdAt, data }: { eventType: string; createdAt: Millis; data: string }) =>
  JSON.stringify({ type: eventType, timestamp: toIso(createdAt), data: JSON.parse(data) as unknown })

/** Sends a delivery again with the same event id. @throws AppError `not_found`; `conflict` if the webhook is off. */
export async function replayDelivery(db: Db, id: string, actor: Actor): Promise<void> {
  const [delivery] = await db
    .select({ webhookId: webhookDeliveries.webhookId })
    .from(webhookDeliveries)
    .where(eq(webhookDeliveries.id, id))
  if (!delivery)
    throw new AppError(
      'not_found',
      `That delivery does not exist. Deliveries are deleted after ${RETENTION.webhookDeliveryDays} days.`,
    )
  await requireActive(db, eq(webhooks.id, delivery.webhookId))
  const update = sql`UPDATE webhook_deliveries SET state = 'waiting', tries = 0, due_at = ${actor.at}, queued_at = NULL
    WHERE id = ${id}`
  await runAudited(db, prepare(db, update), 'webhook.replayed', delivery.webhookId, actor)
}
