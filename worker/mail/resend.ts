import { SECOND } from '../lib/clock'
import type { Outcome, Provider } from './provider'

/**
 * Resend over HTTP (resend.com/docs/api-reference/emails/send-email). It remembers an idempotency key for a day, so a
 * broken connection is simply tried again: the second try of a mail that did arrive sends nothing.
 */
export const resend =
  ({ apiKey, url }: { apiKey: string; url: string }): Provider =>
  async ({ key, to, subject, text, html, headers }, from) => {
    const answer = await fetch(new URL('/emails', url), {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify({ from: `${from.name} <${from.email}>`, to: [to], subject, text, html, headers }),
      signal: AbortSignal.timeout(20 * SECOND),
    }).catch(() => null)
    if (!answer) return { kind: 'later', why: 'No answer; the key makes another try safe.' }
    return outcomeOf(answer, (await answer.json().catch(() => null)) as { id?: unknown; name?: unknown } | null)
  }

function outcomeOf(answer: Response, body: { id?: unknown; name?: unknown } | null): Outcome {
  const { status } = answer
  if (answer.ok) return { kind: 'sent', providerId: String(body?.id ?? '') }
  const why = typeof body?.name === 'string' ? `${status} ${body.name.slice(0, 60)}` : String(status)
  // 409: the first try is still under way. 401 and 403: a key that somebody is about to put right.
  if (![401, 403, 408, 409, 429].includes(status) && status < 500) return { kind: 'refused', why }
  const seconds = Number(answer.headers.get('retry-after'))
  return { kind: 'later', why, ...(seconds > 0 && { afterMillis: seconds * SECOND }) }
}
