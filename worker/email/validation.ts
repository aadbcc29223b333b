import { EMAIL_PATTERN } from '../contract/credential-rules'

// What may be handed to a provider. Local senders take anything (line breaks, two addresses, any header); real ones
// refuse or, worse, obey. So it is decided here, before storing and again before sending.

const CONTROL_CHARACTER = /[\u0000-\u001f\u007f\u2028\u2029]/

/** The headers a mail of ours may add; everything else (Bcc, From, Reply-To) is somebody's injection. */
const ALLOWED_HEADERS = new Set(['List-Unsubscribe', 'List-Unsubscribe-Post'])

/** Exactly one address, as `EMAIL_SHAPE` has it: no list, no display name, no control character. */
export const isSingleAddress = (to: string): boolean =>
  to.length <= 254 && !CONTROL_CHARACTER.test(to) && EMAIL_PATTERN.test(to)

/** One line of a header: RFC 5322 takes 998 characters. */
export const isHeaderValue = (value: string): boolean =>
  value.trim() !== '' && value.length <= 998 && !CONTROL_CHARACTER.test(value) && value.isWellFormed()

export const isAllowedHeader = ([name, value]: readonly [string, string]): boolean =>
  ALLOWED_HEADERS.has(name) && isHeaderValue(value) && /^[\x20-\x7e]*$/.test(value)
