import { INQUIRY_ANSWER_DAYS } from '../contract/retention'
import { DAY, type Millis } from '../lib/clock'
import { Refused } from '../lib/refused'
import { box, unbox } from '../lib/sealed-box'

// Links of list mail carry no row's id and no readable address: the address itself, encrypted for one purpose. So a
// link can be written in the same batch as the row it is about, and one list's link opens nothing of another's.

export type Purpose = 'newsletter-confirm' | 'newsletter-out' | 'alert-confirm' | 'alert-out' | 'inquiry-confirm'

/** How long a link to confirm works. */
export const CONFIRM_LIFE: Millis = 7 * DAY
const LIFE: Partial<Record<Purpose, Millis>> = {
  'newsletter-confirm': CONFIRM_LIFE,
  'alert-confirm': CONFIRM_LIFE,
  'inquiry-confirm': INQUIRY_ANSWER_DAYS * DAY,
}

export const deadLink = () => new Refused('bad_token', 'This link does not work any more. Please ask for a new one.')

/** A link's secret for a key (a folded address, an alert's key, an inquiry's id), made at an instant. */
export function linkToken(secret: string, purpose: Purpose, key: string, at: Millis): Promise<string> {
  return box(secret, purpose, Uint8Array.from(new TextEncoder().encode(`${at} ${key}`)))
}

/**
 * What a link is about, and when it was made.
 * @throws Refused `bad_token` for one of another purpose, tampered with, or too old.
 */
export async function readLink(
  secret: string,
  purpose: Purpose,
  token: string,
  now: Millis,
): Promise<{ key: string; at: Millis }> {
  const bytes = await unbox(secret, purpose, token).catch(() => null)
  const [, at, key] = /^(\d{1,15}) (.+)$/s.exec(bytes ? new TextDecoder().decode(bytes) : '') ?? []
  const life = LIFE[purpose]
  if (!at || !key || (life !== undefined && now >= Number(at) + life)) throw deadLink()
  return { key, at: Number(at) }
}
