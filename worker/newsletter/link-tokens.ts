import { INQUIRY_RESPONSE_DAYS } from '../contract/retention'
import { AppError } from '../lib/app-error'
import { DAY_MS, type Millis } from '../lib/clock'
import { decrypt, encrypt } from '../lib/crypto'

// Links of list mail carry no row's id and no readable address: the address itself, encrypted for one purpose. So a
// link can be written in the same batch as the row it is about, and one list's link opens nothing of another's.

export type LinkPurpose = 'newsletter-confirm' | 'newsletter-out' | 'alert-confirm' | 'alert-out' | 'inquiry-confirm'

/** How long a link to confirm works. */
export const CONFIRM_TTL_MS: Millis = 7 * DAY_MS
const TTL_MS_BY_PURPOSE: Partial<Record<LinkPurpose, Millis>> = {
  'newsletter-confirm': CONFIRM_TTL_MS,
  'alert-confirm': CONFIRM_TTL_MS,
  'inquiry-confirm': INQUIRY_RESPONSE_DAYS * DAY_MS,
}

export const expiredLinkError = () =>
  new AppError('bad_token', 'This link does not work any more. Please ask for a new one.')

/** A link's secret for a key (a folded address, an alert's key, an inquiry's id), made at an instant. */
export function createLinkToken(secret: string, purpose: LinkPurpose, key: string, at: Millis): Promise<string> {
  return encrypt(secret, purpose, Uint8Array.from(new TextEncoder().encode(`${at} ${key}`)))
}

/**
 * What a link is about, and when it was made.
 * @throws AppError `bad_token` for one of another purpose, tampered with, or too old.
 */
export async function readLinkToken(
  secret: string,
  purpose: LinkPurpose,
  token: string,
  now: Millis,
): Promise<{ key: string; at: Millis }> {
  const bytes = await decrypt(secret, purpose, token).catch(() => null)
  const [, at, key] = /^(\d{1,15}) (.+)$/s.exec(bytes ? new TextDecoder().decode(bytes) : '') ?? []
  const ttlMs = TTL_MS_BY_PURPOSE[purpose]
  if (!at || !key || (ttlMs !== undefined && now >= Number(at) + ttlMs)) throw expiredLinkError()
  return { key, at: Number(at) }
}
