import { type Millis, SECOND } from '../lib/clock'
import type { Outcome, Provider } from './provider'

/** An answer that takes longer counts as lost. */
const PATIENCE: Millis = 20 * SECOND

/** Codes that say 'not now' (Cloudflare Email Service, Workers API, errors); every other code says 'never'. */
const NOT_NOW = /^E_(RATE_LIMIT|DAILY_LIMIT|INTERNAL|SERVICE|DELIVERY_FAILED)/
/** Codes that say that something behind it did not answer. */
const UNHEARD = /TIMEOUT|TIMED_OUT|CONNECTION/

/**
 * Cloudflare's mail binding. It has no idempotency key: an error without one of its codes, or a code that
 * tells of no answer, leaves open whether the mail went out.
 */
export const binding =
  (email: SendEmail): Provider =>
  async ({ to, subject, text, html, headers }, from) => {
    const work = email.send({ from, to, subject, text, html, headers }).then(
      ({ messageId }): Outcome => ({ kind: 'sent', providerId: messageId }),
      (error: unknown) => outcomeOf(error),
    )
    return inTime(work)
  }

function outcomeOf(error: unknown): Outcome {
  const code = (error as { code?: unknown } | null)?.code
  if (typeof code !== 'string' || !code.startsWith('E_')) return { kind: 'lost', why: 'No answer.' }
  if (UNHEARD.test(code)) return { kind: 'lost', why: code }
  if (code === 'E_RECIPIENT_SUPPRESSED') return { kind: 'refused', why: code, suppressed: true }
  const busy = /LIMIT/.test(code)
  return NOT_NOW.test(code) ? { kind: 'later', why: code, ...(busy && { busy }) } : { kind: 'refused', why: code }
}

async function inTime(work: Promise<Outcome>): Promise<Outcome> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<Outcome>((resolve) => {
    timer = setTimeout(() => resolve({ kind: 'lost', why: 'No answer in time.' }), PATIENCE)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
