import * as z from 'zod/mini'
import { type Config, type Env, readConfig } from '../env'
import { type Millis, SECOND_MS } from '../lib/clock'
import { cloudflareProvider } from './cloudflare-provider'
import { type Delivery, deliverEmails } from './deliver'
import { FAILED_STATE } from './outbox'
import type { EmailProvider } from './provider'
import { resendProvider } from './resend-provider'

const EmailMessage = z.object({ kind: z.literal('mail'), id: z.string() })

/** What is written to many, and an administrator's trial copy of it, which should fail where the others would. */
const BULK_KINDS = new Set(['broadcast', 'broadcast_test', 'show_alert'])

/** Who carries mail: the binding; Resend what is written to many, where it has a key. */
export function emailProvider(env: Env, { mail: { resend: account } }: Config): EmailProvider {
  const [transactional, bulk] = [cloudflareProvider(env.EMAIL), account && resendProvider(account)]
  return (mail, from) => (bulk && BULK_KINDS.has(mail.kind) ? bulk : transactional)(mail, from)
}

/** Everything that sending takes. The artist's name signs. */
export async function createDelivery(env: Env, now: () => Millis): Promise<Delivery> {
  const config = readConfig(env)
  const site = await env.DB.prepare('SELECT name FROM site LIMIT 1').first<{ name: string }>()
  return {
    db: env.DB,
    secret: config.signingSecret,
    provider: emailProvider(env, config),
    from: { email: config.mail.from, name: site?.name ?? '' },
    now,
  }
}

/**
 * A batch of the mail queue. What was sent, refused or lost is done; what must wait comes again when it is due; a
 * message that is none of ours is set aside, and the others do not wait for it.
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
      const due = waiting.get(id)
      if (due === undefined) message.ack()
      else message.retry({ delaySeconds: secondsUntil(due, now()) })
    }
  } catch (error) {
    console.error(JSON.stringify({ at: 'mail', mails: jobs.length, error: error instanceof Error ? error.name : null }))
    for (const { message } of jobs) message.retry({ delaySeconds: 30 })
  }
}

/** A queue takes no longer delay than twelve hours. */
const secondsUntil = (due: Millis, now: Millis) => Math.min(12 * 3600, Math.max(1, Math.ceil((due - now) / SECOND_MS)))

/** What the mail queue gave up on. Its row is failed, so that the administrator finds it beside the others. */
export async function failDeadLetters(batch: MessageBatch<unknown>, { DB }: Pick<Env, 'DB'>): Promise<void> {
  const ids = batch.messages.flatMap(({ body }) => EmailMessage.safeParse(body).data?.id ?? [])
  await DB.prepare(
    `UPDATE outbox SET state = ${FAILED_STATE}, last_error = coalesce(last_error, 'The queue gave up on it.')
     WHERE id IN (SELECT value FROM json_each(?1)) AND state = 'waiting' AND claimed_at IS NULL`,
  )
    .bind(JSON.stringify(ids))
    .run()
  for (const { id, body, timestamp } of batch.messages)
    console.error(
      JSON.stringify({ at: 'dead-letter', id, kind: EmailMessage.safeParse(body).data?.kind ?? null, sent: timestamp }),
    )
  batch.ackAll()
}
