import * as z from 'zod/mini'
import { administrator, get, post } from './endpoint'
import { timestamp } from './fields'

/** `unknown`: handed over, the answer was lost; never repeated by itself. */
export const EmailState = z.enum(['waiting', 'sent', 'failed', 'unknown'])
export type EmailState = z.infer<typeof EmailState>

/**
 * Why an address is not written to any more. `bounced`: there is no such mailbox; nothing is sent. `complained`: its
 * reader called our mail spam; `suppressed`: the provider will not write. Of these two, nothing that they did not ask for.
 */
export const SuppressionReason = z.enum(['bounced', 'complained', 'suppressed'])
export type SuppressionReason = z.infer<typeof SuppressionReason>

/** A mail of the demo, as its reader would get it. */
export const DemoEmail = z.object({
  id: z.string(),
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
  sentAt: timestamp,
  kind: z.string(),
  state: EmailState,
  /** The headers that a mail program reads: how to unsubscribe. */
  headers: z.record(z.string(), z.string()),
})
export type DemoEmail = z.infer<typeof DemoEmail>

export const emailApi = {
  /** Newest first, at most 100; 404 in production. */
  demoOutbox: get('/api/demo/outbox', z.array(DemoEmail)),
  /** One of them as HTML, for a sandboxed frame; 404 in production. */
  demoEmailHtml: get('/api/demo/mail/:id', null),
  /** What became of a mail after it was sent, as Resend tells it. 200 once its signature holds, 400 otherwise. */
  resendWebhook: post('/api/webhooks/resend', null, null),
}

/** A mail as the desk lists it: the address is masked until it is revealed (ruling 8). */
export const AdminEmail = z.object({
  id: z.string(),
  to: z.string(),
  kind: z.string(),
  subject: z.string(),
  state: EmailState,
  attempts: z.int(),
  /** What the provider last said. */
  lastError: z.nullable(z.string()),
  createdAt: timestamp,
  sentAt: z.nullable(timestamp),
  /** Of a waiting one: when it is tried next. */
  dueAt: z.nullable(timestamp),
})
export type AdminEmail = z.infer<typeof AdminEmail>

/** An address that is not written to any more. `to` is masked, and null once the mail that came back is forgotten. */
export const EmailSuppression = z.object({
  id: z.string(),
  to: z.nullable(z.string()),
  reason: SuppressionReason,
  at: timestamp,
})
export type EmailSuppression = z.infer<typeof EmailSuppression>

export const adminEmailApi = {
  /** Newest first, 50 a page; `?q=` finds in address, subject, kind, state and last error. `Link: <...>; rel="next"`. */
  list: get('/api/admin/mail', z.array(AdminEmail), administrator),
  counts: get(
    '/api/admin/mail/counts',
    z.object({ waiting: z.int(), sent: z.int(), failed: z.int(), unknown: z.int() }),
    administrator,
  ),
  /** The address in full; written down. */
  reveal: post('/api/admin/mail/:id/reveal', null, z.object({ to: z.string() }), administrator),
  /** Sends one that failed, or is in doubt, again. 409 for any other, and for a reader who has left the list. */
  resend: post('/api/admin/mail/:id/resend', null, null, administrator),
  /** Sends everything that failed again, but nothing in doubt: after an outage. */
  resendFailed: post('/api/admin/mail/resend-failed', null, z.object({ mails: z.int() }), administrator),
  /** Who is not written to any more, the latest first, 50 a page. */
  suppressions: get('/api/admin/mail-stops', z.array(EmailSuppression), administrator),
  /** Writes to an address again; written down. */
  liftSuppression: post('/api/admin/mail-stops/:id/lift', null, null, administrator),
}
