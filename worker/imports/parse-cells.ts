import { MINUTE_MS, type Millis } from '../lib/clock'

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const TIME_PATTERN = String.raw`(?:[T ,]+(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?\s*([ap]m)?)?`
const ZONE_PATTERN = String.raw`\s*(Z|UTC|GMT|[+-]\d{2}:?\d{2})?`

/** Date formats of the platforms. Each function puts the three matched parts in the order year, month, day. */
const DATE_FORMATS: readonly [RegExp, (a: string, b: string, c: string) => [string, string, string]][] = [
  // 2021-04-12 17:13:05 -0400 (Shopify, Mailchimp, Patreon)
  [new RegExp(`^(\\d{4})[-/](\\d{1,2})[-/](\\d{1,2})${TIME_PATTERN}${ZONE_PATTERN}$`, 'i'), (y, m, d) => [y, m, d]],
  // 4/12/21 5:13pm (Bandcamp): month first
  [new RegExp(`^(\\d{1,2})/(\\d{1,2})/(\\d{4}|\\d{2})${TIME_PATTERN}${ZONE_PATTERN}$`, 'i'), (m, d, y) => [y, m, d]],
  // 12 Apr 2021 17:13:05 GMT
  [
    new RegExp(`^(\\d{1,2}) ([a-z]{3})[a-z]*\\.?,? (\\d{4})${TIME_PATTERN}${ZONE_PATTERN}$`, 'i'),
    (d, m, y) => [y, m, d],
  ],
  // Apr 12, 2021
  [
    new RegExp(`^([a-z]{3})[a-z]*\\.? (\\d{1,2}),? (\\d{4})${TIME_PATTERN}${ZONE_PATTERN}$`, 'i'),
    (m, d, y) => [y, m, d],
  ],
]

/** Parses a date in one of the platforms' formats, in UTC unless it has an offset; null for any other text. */
export function parseTime(text: string): Millis | null {
  for (const [format, toYearMonthDay] of DATE_FORMATS) {
    const match = format.exec(text.trim())
    if (!match) continue
    const [, a = '', b = '', c = '', hours = '0', minutes = '0', seconds = '0', meridiem, zone] = match
    const [year, month, day] = toYearMonthDay(a, b, c)
    return toMillis(
      [year.length === 2 ? 2000 + Number(year) : Number(year), monthNumber(month), Number(day)],
      [hourOfDay(Number(hours), meridiem), Number(minutes), Number(seconds)],
      zone,
    )
  }
  return null
}

const monthNumber = (text: string) => (/^\d+$/.test(text) ? Number(text) : MONTHS.indexOf(text.toLowerCase()) + 1)

/** Hour of the day from 0 to 23; NaN for an invalid hour with am or pm. */
function hourOfDay(hours: number, meridiem: string | undefined): number {
  if (meridiem === undefined) return hours
  if (hours < 1 || hours > 12) return Number.NaN
  return (hours % 12) + (meridiem.toLowerCase() === 'pm' ? 12 : 0)
}

function toMillis(
  [year, month, day]: readonly [number, number, number],
  [hours, minutes, seconds]: readonly [number, number, number],
  zone = 'Z',
): Millis | null {
  const at = Date.UTC(year, month - 1, day, hours, minutes, seconds)
  const date = new Date(at)
  const isRealTime =
    date.getUTCFullYear() === year &&
    date.getUTCMonth() === month - 1 &&
    date.getUTCDate() === day &&
    date.getUTCHours() === hours &&
    date.getUTCMinutes() === minutes
  if (!isRealTime || year < 1970) return null
  const [, sign, offsetHours, offsetMinutes] = /^([+-])(\d{2}):?(\d{2})$/.exec(zone) ?? []
  const offsetMs = (Number(offsetHours ?? 0) * 60 + Number(offsetMinutes ?? 0)) * MINUTE_MS
  return sign === '-' ? at + offsetMs : at - offsetMs
}

/** Largest amount, in cents. */
export const MAX_CENTS = 100_000_000_00

const MAX_AMOUNT_CHARS = 40

/**
 * Cents of an amount like `1,234.50`, `1.234,50` or `$12`; null for any other text. `12` is 1200 also in a currency
 * without cents.
 */
export function parseCents(text: string): number | null {
  // A length limit and one class for signs and spaces keep the pattern linear.
  if (text.length > MAX_AMOUNT_CHARS) return null
  const [, sign = '', digits = ''] = /^(-?)[^\d.,-]{0,6}([\d.,' ]*\d)[^\d.,-]{0,6}$/.exec(text.trim()) ?? []
  const [, whole = '', fraction = ''] = /^(.*?)(?:[.,](\d{1,2}))?$/.exec(digits.replace(/[' ]/g, '')) ?? []
  if (!/^\d{1,3}([.,]\d{3})*$|^\d+$/.test(whole) && !(whole === '' && fraction !== '')) return null
  const cents = Number(whole.replace(/[.,]/g, '') || '0') * 100 + Number(fraction.padEnd(2, '0') || '0')
  if (cents > MAX_CENTS) return null
  return sign === '-' ? -cents : cents
}

/** A whole number from 0; null for other texts. */
export function parseCount(text: string): number | null {
  const trimmed = text.trim()
  return /^\d{1,7}(\.0+)?$/.test(trimmed) ? Number(trimmed) : null
}
