import { type Millis, SECOND_MS } from '../lib/clock'
import type { EmailProvider, SendResult } from './provider'

/** An answer that takes longer counts as lost. */
const TIMEOUT_MS: Millis = 20 * SECOND_MS

/** Codes that say 'not now' (Cloudflare Email Service, Workers API, errors); every other code says 'never'. */
const RETRYABLE = /^E_(RATE_LIMIT|DAILY_LIMIT|INTERNAL|SERVICE|DELIVERY_FAILED)/
/** Codes that say that something behind it did not answer. */
const TIMEOUT_CODE = /TIMEOUT|TIMED_OUT|CONNECTION/

/**
 * Cloudflare's mail binding. It has no idempotency key: an error without one of its codes, or a code that
 * tells of no answer, leaves open whether the mail went out.
 */
export const cloudflareProvider =
  (email: SendEmail): EmailProvider =>
  async ({ to, subject, text, html, headers }, from) => {
    const work = email.send({ from, to, subject, text, html, headers }).then(
      ({ messageId }): SendResult => ({ kind: 'sent', providerId: messageId }),
      (error: unknown) => resultFromError(error),
    )
    return withTimeout(work)
  }

function resultFromError(error: unknown): SendResult {
  const code = (error as { code?: unknown } | null)?.code
  if (typeof code !== 'string' || !code.startsWith('E_')) return { kind: 'lost', why: 'No answer.' }
  if (TIMEOUT_CODE.test(code)) return { kind: 'lost', why: code }
  if (code === 'E_RECIPIENT_SUPPRESSED') return { kind: 'refused', why: code, suppressed: true }
  const busy = /LIMIT/.test(code)
  return RETRYABLE.test(code) ? { kind: 'later', why: code, ...(busy && { busy }) } : { kind: 'refused', why: code }
}

async function withTimeout(work: Promise<SendResult>): Promise<SendResult> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<SendResult>((resolve) => {
    timer = setTimeout(() => resolve({ kind: 'lost', why: 'No answer in time.' }), TIMEOUT_MS)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
