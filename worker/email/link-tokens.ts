import { INQUIRY_RESPONSE_DAYS } from '../contract/retention'
import type { Deps } from '../deps'
import { AppError } from '../lib/app-error'
import { DAY_MS, type Millis } from '../lib/clock'
import { decrypt, encrypt } from '../lib/crypto'
import type { UnsubscribeLinks } from './render-email'

// A link contains an encrypted address, alert key (address with city or variant) or inquiry id. All are known before
// the row is inserted, so that the same batch can enqueue the email. Each purpose has its own encryption key.

type LinkPurpose =
  | 'newsletter-confirm'
  | 'newsletter-out'
  | 'alert-confirm'
  | 'alert-out'
  | 'stock-confirm'
  | 'stock-out'
  | 'inquiry-confirm'

export const CONFIRM_TTL_MS: Millis = 7 * DAY_MS
const TTL_MS_BY_PURPOSE: Partial<Record<LinkPurpose, Millis>> = {
  'newsletter-confirm': CONFIRM_TTL_MS,
  'alert-confirm': CONFIRM_TTL_MS,
  'stock-confirm': CONFIRM_TTL_MS,
  'inquiry-confirm': INQUIRY_RESPONSE_DAYS * DAY_MS,
}

export const expiredLinkError = () => new AppError('bad_token', 'That link no longer works. Please ask for a new one.')

/** Token for a key (normalized address, alert key or inquiry id) created at `at`. */
export function createLinkToken(secret: string, purpose: LinkPurpose, key: string, at: Millis): Promise<string> {
  return encrypt(secret, purpose, Uint8Array.from(new TextEncoder().encode(`${at} ${key}`)))
}

/** Key and creation time of a token. @throws AppError `bad_token` if modified, expired or for another purpose. */
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

/** `alerts`: new shows; `stock`: products that are back in stock. */
export type MailingList = 'newsletter' | 'alerts' | 'stock'

const UNSUBSCRIBE_PURPOSE = { newsletter: 'newsletter-out', alerts: 'alert-out', stock: 'stock-out' } as const

export const SUBSCRIPTION_REASON: Record<MailingList, string> = {
  newsletter: 'You get this because you subscribed to our newsletter.',
  alerts: 'You get this because you asked for alerts about new shows.',
  stock: 'You get this because you asked to hear when a product is back.',
}

/** Unsubscribe links of a list: a page, and a one-click URL for email clients (RFC 8058). */
export async function unsubscribeLinks(
  { secret, origin }: Pick<Deps, 'secret' | 'origin'>,
  list: MailingList,
  emailKey: string,
): Promise<UnsubscribeLinks> {
  // Unsubscribe links do not expire, so they need no creation time.
  const token = await createLinkToken(secret, UNSUBSCRIBE_PURPOSE[list], emailKey, 0)
  return {
    reason: SUBSCRIPTION_REASON[list],
    pageUrl: `${origin}/newsletter/unsubscribe?token=${token}`,
    oneClickUrl: `${origin}/api/newsletter/unsubscribe?token=${token}`,
  }
}

/** List and normalized address of an unsubscribe link. @throws AppError `bad_token`. */
export async function readUnsubscribeToken(
  secret: string,
  token: string,
  now: Millis,
): Promise<{ list: MailingList; key: string }> {
  for (const list of ['newsletter', 'alerts'] as const) {
    const read = await readLinkToken(secret, UNSUBSCRIBE_PURPOSE[list], token, now).catch(() => null)
    if (read) return { list, key: read.key }
  }
  return { list: 'stock', key: (await readLinkToken(secret, UNSUBSCRIBE_PURPOSE.stock, token, now)).key }
}
