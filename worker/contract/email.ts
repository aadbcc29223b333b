import * as z from 'zod/mini'
import { get, listQuery, managers, post, visitor } from './endpoint'
import { timestamp } from './fields'

/** `unknown`: the provider's response was lost; never retried automatically. */
export const EmailState = z.enum(['waiting', 'sent', 'failed', 'unknown'])
export type EmailState = z.infer<typeof EmailState>

/**
 * `bounced`: no such mailbox, nothing is sent. `complained`: marked as spam; `suppressed`: rejected by the provider;
 * both get requested emails only. `unsubscribed`: left the newsletter on another platform; gets no broadcasts.
 */
export const SuppressionReason = z.enum(['bounced', 'complained', 'suppressed', 'unsubscribed'])
export type SuppressionReason = z.infer<typeof SuppressionReason>

export const DemoEmail = z.object({
  id: z.string(),
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
  sentAt: timestamp,
  kind: z.string(),
  state: EmailState,
  headers: z.record(z.string(), z.string()),
})
export type DemoEmail = z.infer<typeof DemoEmail>

export const emailApi = {
  demoOutbox: get('/api/demo/outbox', z.array(DemoEmail), {
    ...visitor,
    description: 'Newest first, at most 100; 404 in production.',
    demoOnly: true,
  }),
  demoEmailHtml: get('/api/demo/mail/:id', null, {
    ...visitor,
    description: 'HTML for a sandboxed frame; 404 in production.',
    demoOnly: true,
  }),
  resendWebhook: post('/api/webhooks/resend', null, null, {
    ...visitor,
    description: 'Delivery events from Resend. 200 if the signature is valid, else 400.',
    anyOrigin: true,
  }),
}

/** The recipient is masked until revealed. */
export const AdminEmail = z.object({
  id: z.string(),
  to: z.string(),
  kind: z.string(),
  subject: z.string(),
  state: EmailState,
  attempts: z.int(),
  lastError: z.nullable(z.string()),
  createdAt: timestamp,
  sentAt: z.nullable(timestamp),
  /** Next attempt of a waiting email. */
  dueAt: z.nullable(timestamp),
})
export type AdminEmail = z.infer<typeof AdminEmail>

/** `to` is masked; null for an imported suppression, and once the email that caused it is deleted. */
export const EmailSuppression = z.object({
  id: z.string(),
  to: z.nullable(z.string()),
  reason: SuppressionReason,
  at: timestamp,
})
export type EmailSuppression = z.infer<typeof EmailSuppression>

export const adminEmailApi = {
  list: get('/api/admin/mail', z.array(AdminEmail), {
    ...managers,
    description:
      'Newest first, 50 per page; `?q=` finds part of subject, kind, state or last error, or a whole address. Filters `state`, `created`; sort `created`.',
    query: listQuery('state', 'created'),
  }),
  counts: get(
    '/api/admin/mail/counts',
    z.object({ waiting: z.int(), sent: z.int(), failed: z.int(), unknown: z.int() }),
    managers,
  ),
  reveal: post('/api/admin/mail/:id/reveal', null, z.object({ to: z.string() }), {
    ...managers,
    recentAuth: true,
    description: 'The full address; audited.',
  }),
  resend: post('/api/admin/mail/:id/resend', null, null, {
    ...managers,
    description: 'Retries a failed or unknown email. 409 for others and for unsubscribed recipients.',
  }),
  resendFailed: post('/api/admin/mail/resend-failed', null, z.object({ mails: z.int() }), {
    ...managers,
    description: 'Retries all failed emails, not the unknown ones.',
  }),
  suppressions: get('/api/admin/mail-stops', z.array(EmailSuppression), {
    ...managers,
    description: 'Latest first, 50 per page. Filters `reason`, `since`.',
    query: ['sort', 'cursor', 'reason', 'since'],
  }),
  liftSuppression: post('/api/admin/mail-stops/:id/lift', null, null, { ...managers, description: 'Audited.' }),
}
