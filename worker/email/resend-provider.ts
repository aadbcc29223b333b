import { SECOND_MS } from '../lib/clock'
import type { EmailProvider, SendResult } from './provider'

/**
 * Resend over HTTP (resend.com/docs/api-reference/emails/send-email). It remembers an idempotency key for a day, so a
 * broken connection is simply tried again: the second try of a mail that did arrive sends nothing.
 */
export const resendProvider =
  ({ apiKey, url }: { apiKey: string; url: string }): EmailProvider =>
  async ({ key, to, subject, text, html, headers }, from) => {
    const response = await fetch(new URL('/emails', url), {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify({ from: `${from.name} <${from.email}>`, to: [to], subject, text, html, headers }),
      signal: AbortSignal.timeout(20 * SECOND_MS),
    }).catch(() => null)
    if (!response) return { kind: 'later', why: 'No answer; the key makes another try safe.', doubt: true }
    return resultFromResponse(
      response,
      (await response.json().catch(() => null)) as { id?: unknown; name?: unknown } | null,
    )
  }

/** A gateway's answers: what stands behind it may have taken the mail. */
const GATEWAY_ERRORS = new Set([408, 502, 504, 520, 522, 524])

function resultFromResponse(response: Response, body: { id?: unknown; name?: unknown } | null): SendResult {
  const { status } = response
  if (response.ok) return { kind: 'sent', providerId: String(body?.id ?? '') }
  const why = typeof body?.name === 'string' ? `${status} ${body.name.slice(0, 60)}` : String(status)
  // The key was used for other words: an earlier try did arrive, or did not; trying on would never tell.
  if (body?.name === 'invalid_idempotent_request') return { kind: 'lost', why }
  // 409 otherwise: the first try is still under way. 401 and 403: a key that somebody is about to put right.
  if (![401, 403, 408, 409, 429].includes(status) && status < 500) return { kind: 'refused', why }
  const seconds = Number(response.headers.get('retry-after'))
  return {
    kind: 'later',
    why,
    ...(status === 429 && { busy: true }),
    ...(GATEWAY_ERRORS.has(status) && { doubt: true }),
    ...(seconds > 0 && { afterMillis: seconds * SECOND_MS }),
  }
}
