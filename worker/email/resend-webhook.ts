import { Webhook, WebhookVerificationError } from 'standardwebhooks'
import * as z from 'zod/mini'
import type { SuppressionReason } from '../contract/email'
import { AppError } from '../lib/app-error'
import type { Millis } from '../lib/clock'
import { normalizeKey } from '../lib/email'
import { suppressionHash } from '../lib/keyed-hashes'
import { unsubscribeStatements } from '../newsletter/preferences'
import { suppressAddress } from './suppressions'

/** What Resend tells of a mail (resend.com/docs/webhooks); other events have other shapes and are not ours to know. */
const ResendEvent = z.object({
  type: z.enum(['email.bounced', 'email.complained', 'email.suppressed', 'email.failed']),
  created_at: z.string(),
  data: z.object({
    email_id: z.string(),
    from: z.string(),
    to: z.array(z.string()),
    bounce: z.optional(z.object({ type: z.optional(z.string()) })),
  }),
})

const REASON_BY_EVENT = {
  'email.bounced': 'bounced',
  'email.complained': 'complained',
  'email.suppressed': 'suppressed',
  'email.failed': null,
} as const satisfies Record<string, SuppressionReason | null>

const LAST_ERROR: Record<SuppressionReason | 'later' | 'failed', string> = {
  bounced: 'It bounced: there is no such mailbox.',
  later: 'It bounced: the mailbox did not take it this time.',
  failed: 'The provider took it and could not send it.',
  complained: 'Its reader called it spam.',
  suppressed: 'The provider did not write to this address.',
}

export type SignatureHeaders = { id: string; timestamp: string; signature: string }
type WebhookDeps = { db: D1Database; secret: string; webhookSecret: string | null; from: string }

/**
 * Takes in what became of a mail after it was sent. An address that bounced for good, or whose reader complained, is
 * not written to again; who complained has also left every list. Any number of times and in any order, the same.
 * What happened before its reader's consent, or before an administrator lifted a stop, stops nobody any more.
 * @throws AppError `bad_input` where it is not signed by the provider, or signed more than five minutes ago.
 */
export async function handleResendWebhook(
  { db, secret, webhookSecret, from }: WebhookDeps,
  { payload, signed }: { payload: string; signed: SignatureHeaders },
  at: Millis,
): Promise<void> {
  const event = ResendEvent.safeParse(verifyPayload(webhookSecret, payload, signed)).data
  // The account may send for others as well: their readers' words are not about us.
  if (!event?.data.from.toLowerCase().includes(from.toLowerCase())) return
  const { type, data } = event
  // A mailbox that is full, or a server that is down, is there again tomorrow.
  const reason = type === 'email.bounced' && data.bounce?.type !== 'Permanent' ? null : REASON_BY_EVENT[type]
  const happened = Math.min(Date.parse(event.created_at) || at, at)
  const sentEmail = await db
    .prepare('SELECT id, recipient FROM outbox WHERE provider_id = ?1')
    .bind(data.email_id)
    .first<{ id: string; recipient: string }>()
  const statements: D1PreparedStatement[] = []
  for (const email of data.to) {
    if (reason === null || (await isOutdated({ db, secret }, email, happened))) continue
    statements.push(
      await suppressAddress({ db, secret }, { email, reason, mailId: sentEmail?.id ?? null, at: happened }),
    )
    if (reason === 'complained')
      for (const of of ['newsletter', 'alerts'] as const)
        statements.push(...unsubscribeStatements(db, { name: of, key: normalizeKey(email) }, at))
  }
  const lastError = LAST_ERROR[reason ?? (type === 'email.failed' ? 'failed' : 'later')]
  if (sentEmail)
    statements.push(db.prepare('UPDATE outbox SET last_error = ?2 WHERE id = ?1').bind(sentEmail.id, lastError))
  if (statements.length > 0) await db.batch(statements)
}

/** Whether its reader has confirmed the list, or an administrator has lifted the stop, since that happened. */
async function isOutdated({ db, secret }: Pick<WebhookDeps, 'db' | 'secret'>, email: string, happened: Millis) {
  const row = await db
    .prepare(
      `SELECT 1 FROM subscribers WHERE email_key = ?1 AND state = 'confirmed' AND max(consent_at, coalesce(confirmed_at, 0)) > ?3
       UNION ALL SELECT 1 FROM audit_log WHERE action = 'mail.stop_lifted' AND subject = 'mail-stop:' || ?2 AND at > ?3`,
    )
    .bind(normalizeKey(email), await suppressionHash(secret, normalizeKey(email)), happened)
    .first()
  return row !== null
}

/** The body, once its signature holds (Svix, which is Standard Webhooks under another name). */
function verifyPayload(
  webhookSecret: string | null,
  payload: string,
  { id, timestamp, signature }: SignatureHeaders,
): unknown {
  const unsigned = () => new AppError('bad_input', 'That is not signed by the mail provider.')
  if (webhookSecret === null) throw unsigned()
  try {
    return new Webhook(webhookSecret).verify(payload, {
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': signature,
    })
  } catch (error) {
    if (error instanceof WebhookVerificationError || error instanceof SyntaxError) throw unsigned()
    throw error
  }
}
