import { eq, sql } from 'drizzle-orm'
import { Webhook, WebhookVerificationError } from 'standardwebhooks'
import * as z from 'zod/mini'
import type { SuppressionReason } from '../contract/email'
import { prepare } from '../db/client'
import type { Deps } from '../deps'
import { outbox } from '../email/outbox.table'
import { suppressAddress } from '../email/suppressions'
import { AppError } from '../lib/app-error'
import type { Millis } from '../lib/clock'
import { normalizeKey } from '../lib/email'
import { suppressionHash } from '../lib/keyed-hashes'
import { unsubscribeStatements } from './preferences'

const EventType = z.enum(['email.bounced', 'email.complained', 'email.suppressed', 'email.failed'])
/** The events we handle (resend.com/docs/webhooks). */
const ResendEvent = z.object({
  type: EventType,
  created_at: z.string(),
  data: z.object({
    email_id: z.string(),
    from: z.string(),
    to: z.array(z.string()),
    bounce: z.optional(z.object({ type: z.optional(z.string()) })),
  }),
})
type ResendEvent = z.infer<typeof ResendEvent>

/** Suppression reason and outbox error of an event. A bounce is temporary unless Resend calls it permanent. */
function outcomeOf({ type, data }: ResendEvent): { reason: SuppressionReason | null; lastError: string } {
  switch (type) {
    case 'email.bounced':
      return data.bounce?.type === 'Permanent'
        ? { reason: 'bounced', lastError: 'It bounced: there is no such mailbox.' }
        : { reason: null, lastError: 'It bounced: the mailbox did not accept it this time.' }
    case 'email.complained':
      return { reason: 'complained', lastError: 'The recipient marked it as spam.' }
    case 'email.suppressed':
      return { reason: 'suppressed', lastError: 'The provider did not send to this address.' }
    case 'email.failed':
      return { reason: null, lastError: 'The provider accepted it but could not send it.' }
  }
}

type SignatureHeaders = { id: string; timestamp: string; signature: string }
type WebhookDeps = Pick<Deps, 'db' | 'secret'> & { webhookSecret: string | null; from: string }

/**
 * Suppresses an event's address, except after a temporary bounce or a failure, or if the recipient consented or the
 * suppression was lifted later. A complaint also unsubscribes the address. Idempotent; events may arrive in any order.
 * @throws AppError `bad_input` for a malformed event, and for a signature that is invalid or older than five minutes.
 */
export async function handleResendWebhook(
  { db, secret, webhookSecret, from }: WebhookDeps,
  { payload, signatureHeaders }: { payload: string; signatureHeaders: SignatureHeaders },
  at: Millis,
): Promise<void> {
  const event = parseEvent(verifyPayload(webhookSecret, payload, signatureHeaders))
  // The Resend account may also send for other sites.
  if (!event?.data.from.toLowerCase().includes(from.toLowerCase())) return
  const { reason, lastError } = outcomeOf(event)
  const happenedAt = Math.min(Date.parse(event.created_at) || at, at)
  const [sentEmail] = await db
    .select({ id: outbox.id })
    .from(outbox)
    .where(eq(outbox.providerId, event.data.email_id))
    .limit(1)
  const statements: D1PreparedStatement[] = []
  for (const email of event.data.to) {
    if (reason === null || (await isOutdated({ db, secret }, email, happenedAt))) continue
    const suppression = { email, reason, mailId: sentEmail?.id ?? null, at: happenedAt }
    statements.push(await suppressAddress({ db, secret }, suppression))
    if (reason === 'complained')
      for (const list of ['newsletter', 'alerts', 'stock'] as const)
        statements.push(...unsubscribeStatements(db, list, normalizeKey(email), at))
  }
  if (sentEmail)
    statements.push(prepare(db, sql`UPDATE outbox SET last_error = ${lastError} WHERE id = ${sentEmail.id}`))
  if (statements.length > 0) await db.$client.batch(statements)
}

/** The event; null for a type that we do not handle. @throws AppError `bad_input` if it is malformed. */
function parseEvent(payload: unknown): ResendEvent | null {
  const type = z.object({ type: z.string() }).safeParse(payload).data?.type
  if (type !== undefined && !EventType.safeParse(type).success) return null
  const event = ResendEvent.safeParse(payload).data
  if (!event) throw new AppError('bad_input', 'That email provider event is malformed.')
  return event
}

/** Whether the recipient consented, or an administrator lifted the suppression, after the event. */
async function isOutdated({ db, secret }: Pick<Deps, 'db' | 'secret'>, email: string, happenedAt: Millis) {
  const key = normalizeKey(email)
  const subject = `mail-stop:${await suppressionHash(secret, key)}`
  const rows = await db.all(
    sql`SELECT 1 FROM subscribers WHERE email_key = ${key} AND state = 'confirmed'
        AND max(consent_at, coalesce(confirmed_at, 0)) > ${happenedAt}
      UNION ALL SELECT 1 FROM audit_log
        WHERE action = 'mail.stop_lifted' AND subject = ${subject} AND at > ${happenedAt}`,
  )
  return rows.length > 0
}

/** The body of a correctly signed webhook (Svix, a form of Standard Webhooks). */
function verifyPayload(
  webhookSecret: string | null,
  payload: string,
  { id, timestamp, signature }: SignatureHeaders,
): unknown {
  const invalidSignatureError = () => new AppError('bad_input', 'That request is not signed by the email provider.')
  if (webhookSecret === null) throw invalidSignatureError()
  try {
    return new Webhook(webhookSecret).verify(payload, {
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': signature,
    })
  } catch (error) {
    if (error instanceof WebhookVerificationError || error instanceof SyntaxError) throw invalidSignatureError()
    throw error
  }
}
