import type { Millis } from '../lib/clock'
import { isHeader, isLine, isOneAddress } from './valid'

/** A mail as a provider takes it. `key` is the same however often it is tried. */
export type Mail = {
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
export type Outcome =
  | { kind: 'sent'; providerId: string }
  | { kind: 'later'; why: string; afterMillis?: Millis; busy?: boolean; doubt?: boolean }
  | { kind: 'refused'; why: string; suppressed?: boolean }
  | { kind: 'lost'; why: string }

export type Sender = { email: string; name: string }
export type Provider = (mail: Mail, from: Sender) => Promise<Outcome>

/** The one way out of the house: whatever is handed in, exactly one well-formed mail or none leaves. Never throws. */
export async function sendMail(provider: Provider, mail: Mail, from: Sender): Promise<Outcome> {
  const wrong = whatIsWrong(mail, from)
  if (wrong) return { kind: 'refused', why: wrong }
  return provider(mail, { ...from, name: from.name.replace(/["<>\r\n]/g, '') }).catch((error: unknown) => ({
    kind: 'lost',
    why: error instanceof Error ? error.name : 'unknown',
  }))
}

function whatIsWrong({ to, subject, text, html, headers }: Mail, from: Sender): string | null {
  if (!isOneAddress(to)) return 'Not one address.'
  if (!isOneAddress(from.email)) return 'The sender (MAIL_FROM) is no address.'
  if (!isLine(subject)) return 'The subject is not one line.'
  if (!Object.entries(headers).every(isHeader)) return 'A header that is not allowed.'
  if (text.trim() === '' || html.trim() === '') return 'The mail is empty.'
  return null
}
