import { isEmail } from '../contract/credential-rules'
import type { Config, Env } from '../env'
import { type Millis, SECOND_MS } from '../lib/clock'
import { withTimeout } from '../lib/timeout'

/** An email as a provider accepts it. `key` is the same for every attempt; `kind` chooses the provider. */
export type OutgoingEmail = {
  key: string
  kind: string
  to: string
  subject: string
  text: string
  html: string
  headers: Record<string, string>
}

/** Result of one attempt. */
export type SendResult =
  | { kind: 'sent'; providerId: string }
  /**
   * Not accepted now. `busy`: the provider would not accept another email either. `inDoubt`: the email may have
   * arrived; its key makes a retry safe.
   */
  | { kind: 'retry'; reason: string; afterMs?: Millis; busy?: boolean; inDoubt?: boolean }
  /** Never accepted. `suppressed`: the provider accepts no email to this address. */
  | { kind: 'rejected'; reason: string; suppressed?: boolean }
  /** The email may have arrived and a retry may send it twice, so only an administrator may send it again. */
  | { kind: 'unknown'; reason: string }

export type EmailSender = { email: string; name: string }
export type EmailProvider = (email: OutgoingEmail, from: EmailSender) => Promise<SendResult>

const SEND_TIMEOUT_MS: Millis = 20 * SECOND_MS

/** Broadcasts, show alerts, and test emails of broadcasts, which should use the same provider as the broadcasts. */
const BULK_KINDS = new Set(['broadcast', 'broadcast_test', 'show_alert'])

/** Bulk email goes through Resend where a key is configured, everything else through Cloudflare. */
export function createEmailProvider(env: Env, { mail: { resend, isOff } }: Config): EmailProvider {
  if (isOff) return async () => ({ kind: 'rejected', reason: 'This site sends no email (EMAIL_SENDING).' })
  const transactional = cloudflareProvider(env.EMAIL)
  const bulk = resend ? resendProvider(resend) : transactional
  return (email, from) => (BULK_KINDS.has(email.kind) ? bulk : transactional)(email, from)
}

/** Sends one email if it is well-formed. Never throws. */
export async function sendEmail(provider: EmailProvider, email: OutgoingEmail, from: EmailSender): Promise<SendResult> {
  const reason = validationError(email, from)
  if (reason) return { kind: 'rejected', reason }
  return provider(email, { ...from, name: from.name.replace(/["<>\r\n]/g, '') }).catch((error: unknown) => ({
    kind: 'unknown',
    reason: error instanceof Error ? error.name : 'unknown',
  }))
}

function validationError(email: OutgoingEmail, from: EmailSender): string | null {
  if (!isEmail(from.email)) return 'The sender (MAIL_FROM) is not an email address.'
  if (email.text.trim() === '' || email.html.trim() === '') return 'The email is empty.'
  return envelopeError(email)
}

// Local providers accept line breaks, several addresses and any header; real ones reject or obey them. Emails are
// therefore checked before they are stored and again before they are sent.

const CONTROL_CHARACTER = /[\u0000-\u001f\u007f\u2028\u2029]/
const ALLOWED_HEADERS = new Set(['List-Unsubscribe', 'List-Unsubscribe-Post'])
/** RFC 5322, section 2.1.1. */
const MAX_HEADER_LENGTH = 998

type Envelope = { to: string; subject: string; headers?: Record<string, string> }

/** Why the address, subject or headers cannot be sent; null if they can. */
export function envelopeError({ to, subject, headers = {} }: Envelope): string | null {
  if (!isEmail(to)) return 'The recipient is not a single email address.'
  if (!isHeaderValue(subject)) return 'The subject is not a single line.'
  if (!Object.entries(headers).every(isAllowedHeader)) return 'A header is not allowed.'
  return null
}

const isHeaderValue = (value: string) =>
  value.trim() !== '' && value.length <= MAX_HEADER_LENGTH && !CONTROL_CHARACTER.test(value) && value.isWellFormed()

const isAllowedHeader = ([name, value]: [string, string]) =>
  ALLOWED_HEADERS.has(name) && isHeaderValue(value) && /^[\x20-\x7e]*$/.test(value)

const CLOUDFLARE_RETRYABLE = /^E_(RATE_LIMIT|DAILY_LIMIT|INTERNAL|SERVICE|DELIVERY_FAILED)/
const CLOUDFLARE_TIMEOUT = /TIMEOUT|TIMED_OUT|CONNECTION/

/** Cloudflare's email binding has no idempotency key, so a timeout or an error without a code has an unknown result. */
function cloudflareProvider(binding: SendEmail): EmailProvider {
  return async ({ to, subject, text, html, headers }, from) => {
    const send = binding.send({ from, to, subject, text, html, headers }).then(
      // An accepted email may lack an id. It must not be undefined, which D1 rejects with the whole batch.
      (sent: Partial<EmailSendResult> | undefined): SendResult => ({
        kind: 'sent',
        providerId: String(sent?.messageId ?? ''),
      }),
      (error: unknown) => cloudflareError((error as { code?: unknown } | null)?.code),
    )
    return (await withTimeout(SEND_TIMEOUT_MS, send)) ?? { kind: 'unknown', reason: 'No answer in time.' }
  }
}

function cloudflareError(code: unknown): SendResult {
  if (typeof code !== 'string' || !code.startsWith('E_')) return { kind: 'unknown', reason: 'No answer.' }
  if (CLOUDFLARE_TIMEOUT.test(code)) return { kind: 'unknown', reason: code }
  if (code === 'E_RECIPIENT_SUPPRESSED') return { kind: 'rejected', reason: code, suppressed: true }
  if (!CLOUDFLARE_RETRYABLE.test(code)) return { kind: 'rejected', reason: code }
  return { kind: 'retry', reason: code, busy: code.includes('LIMIT') }
}

/**
 * Resend (resend.com/docs/api-reference/emails/send-email) stores an idempotency key for a day, so an email is retried
 * after a lost response.
 */
export function resendProvider({ apiKey, url }: { apiKey: string; url: string }): EmailProvider {
  return async ({ key, to, subject, text, html, headers }, from) => {
    const response = await fetch(new URL('/emails', url), {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify({ from: `${from.name} <${from.email}>`, to: [to], subject, text, html, headers }),
      // A redirect would send the email to another server.
      redirect: 'manual',
      signal: AbortSignal.timeout(SEND_TIMEOUT_MS),
    }).catch(() => null)
    if (!response) return { kind: 'retry', reason: 'No answer; the key makes another try safe.', inDoubt: true }
    return resendResult(response, await response.json<ResendBody>().catch(() => null))
  }
}

type ResendBody = { id?: unknown; name?: unknown } | null

/** Errors of a gateway, behind which Resend may have accepted the email. */
const GATEWAY_ERRORS = new Set([408, 502, 504, 520, 522, 524])
/** Includes 401 and 403, because the API key may be corrected, and 409: the first attempt is still in progress. */
const RETRYABLE_STATUSES = new Set([401, 403, 408, 409, 429])

function resendResult(response: Response, body: ResendBody): SendResult {
  const { status } = response
  if (response.ok) return { kind: 'sent', providerId: String(body?.id ?? '') }
  const reason = typeof body?.name === 'string' ? `${status} ${body.name.slice(0, 60)}` : String(status)
  // An earlier attempt had the same key and another body; retries cannot show whether that email was delivered.
  if (body?.name === 'invalid_idempotent_request') return { kind: 'unknown', reason }
  if (!RETRYABLE_STATUSES.has(status) && status >= 400 && status < 500) return { kind: 'rejected', reason }
  const seconds = Number(response.headers.get('retry-after'))
  return {
    kind: 'retry',
    reason,
    busy: status === 429,
    inDoubt: GATEWAY_ERRORS.has(status),
    ...(seconds > 0 && { afterMs: seconds * SECOND_MS }),
  }
}
