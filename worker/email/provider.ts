import type { Millis } from '../lib/clock'
import { isAllowedHeader, isHeaderValue, isSingleAddress } from './validation'

/** A mail as a provider takes it. `key` is the same however often it is tried. */
export type OutgoingEmail = {
  key: string
  /** What it is for, e.g. `verify`: decides who carries it. */
  kind: string
  to: string
  subject: string
  text: string
  html: string
  headers: Record<string, string>
}

/**
 * What came of handing a mail over. `later`: not taken, may be tried again (`busy`: as any other mail would be;
 * `doubt`: nobody knows, but its key makes another try safe). `refused`: never will be (`suppressed`: nothing to this
 * address will).
 * `lost`: nobody knows, because the answer did not come; it is not repeated by itself (ruling 27).
 */
export type SendResult =
  | { kind: 'sent'; providerId: string }
  | { kind: 'later'; why: string; afterMillis?: Millis; busy?: boolean; doubt?: boolean }
  | { kind: 'refused'; why: string; suppressed?: boolean }
  | { kind: 'lost'; why: string }

export type Sender = { email: string; name: string }
export type EmailProvider = (mail: OutgoingEmail, from: Sender) => Promise<SendResult>

/** The one way out of the house: whatever is handed in, exactly one well-formed mail or none leaves. Never throws. */
export async function sendEmail(provider: EmailProvider, mail: OutgoingEmail, from: Sender): Promise<SendResult> {
  const invalidReason = validationError(mail, from)
  if (invalidReason) return { kind: 'refused', why: invalidReason }
  return provider(mail, { ...from, name: from.name.replace(/["<>\r\n]/g, '') }).catch((error: unknown) => ({
    kind: 'lost',
    why: error instanceof Error ? error.name : 'unknown',
  }))
}

function validationError({ to, subject, text, html, headers }: OutgoingEmail, from: Sender): string | null {
  if (!isSingleAddress(to)) return 'Not one address.'
  if (!isSingleAddress(from.email)) return 'The sender (MAIL_FROM) is no address.'
  if (!isHeaderValue(subject)) return 'The subject is not one line.'
  if (!Object.entries(headers).every(isAllowedHeader)) return 'A header that is not allowed.'
  if (text.trim() === '' || html.trim() === '') return 'The mail is empty.'
  return null
}
