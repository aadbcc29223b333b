/** A function that creates the formatter on its first call, and returns the same one afterwards. */
const createOnce = <Format>(create: () => Format) => {
  let format: Format | undefined
  return () => (format ??= create())
}

// Created on first use, because creating a formatter takes at least a millisecond.
const numberFormat = (options?: Intl.NumberFormatOptions) => {
  const format = createOnce(() => new Intl.NumberFormat('en-US', options))
  return (value: number) => format().format(value)
}
const dateFormat = (options: Intl.DateTimeFormatOptions) => {
  const format = createOnce(() => new Intl.DateTimeFormat('en-US', options))
  return (value: string | number) => format().format(new Date(value))
}

const formatNumber = numberFormat()
/** '15,847'. Numbers below 1,000 use no formatter: creating the first formatter takes a slow phone 0.2 seconds. */
export const formatCount = (count: number): string =>
  Number.isInteger(count) && Math.abs(count) < 1000 ? String(count) : formatNumber(count)
/** '+10', '−5'. */
export const formatSigned = (value: number): string => `${value < 0 ? '−' : '+'}${formatCount(Math.abs(value))}`
/** '1 track', '15,847 tracks'. */
export const formatCountOf = (count: number, noun: string): string =>
  `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`
/** US dollars below a thousand, without a formatter; undefined for other currencies and amounts. */
const smallDollars = (cents: number, digits: number): string | undefined =>
  siteCurrency === 'USD' && Number.isInteger(cents) && cents >= 0 && cents < 100_000
    ? `$${(cents / 100).toFixed(digits)}`
    : undefined
/** Integer cents in the site's currency: '$19.99'. */
export const formatPrice = (cents: number): string => smallDollars(cents, 2) ?? priceFormats().exact(cents / 100)
/** Integer cents in the site's currency without '.00': '$15', '$19.99'. */
export const formatShortPrice = (cents: number): string =>
  cents % 100 === 0 ? (smallDollars(cents, 0) ?? priceFormats().whole(cents / 100)) : formatPrice(cents)

const createPriceFormats = (currency: string) => ({
  currency,
  exact: numberFormat({ style: 'currency', currency }),
  whole: numberFormat({ style: 'currency', currency, maximumFractionDigits: 0 }),
})
let siteCurrency = 'USD'
let currentPriceFormats: ReturnType<typeof createPriceFormats> | undefined
function priceFormats() {
  if (currentPriceFormats?.currency !== siteCurrency) currentPriceFormats = createPriceFormats(siteCurrency)
  return currentPriceFormats
}

/** The site's currency (ISO 4217); 'USD' before the configuration is read. */
export const getCurrency = () => siteCurrency
/** Called once the configuration is read. A site has one currency, so price functions take none. */
export function setCurrency(currency: string): void {
  siteCurrency = currency
}

// Timestamps are ISO 8601 or epoch milliseconds, shown in the time zone of the runtime.
/** 'Nov 20, 2026'. */
export const formatDate = dateFormat({ dateStyle: 'medium' })
/** 'November 20, 2026'. */
export const formatLongDate = dateFormat({ dateStyle: 'long' })
/** 'Nov 20, 2026, 6:15 PM'. */
export const formatDateTime = dateFormat({ dateStyle: 'medium', timeStyle: 'short' })
/** 'Nov 20, 2026, 6:15 PM' in a time zone. */
export const formatZonedDateTime = (time: string, timeZone: string): string =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(Date.parse(time))
/** 'Friday, November 20, 6:15 PM EST' in a time zone. */
export function formatLongZonedDateTime(time: string, timeZone: string): string {
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-US', { timeZone, ...options }).format(new Date(time))
  const day = format({ weekday: 'long', month: 'long', day: 'numeric' })
  // Some engines put a narrow no-break space before PM.
  return `${day}, ${format({ hour: 'numeric', minute: '2-digit', timeZoneName: 'short' }).replace(/\s/g, ' ')}`
}
/** 'November 20, 2026 at 6:15 PM'. */
export const formatLongDateTime = dateFormat({ dateStyle: 'long', timeStyle: 'short' })
/** 'Nov 20, 2026, 6:15:04 PM'. */
export const formatDateTimeSeconds = dateFormat({ dateStyle: 'medium', timeStyle: 'medium' })
/** '6:15 PM'. */
export const formatTime = dateFormat({ timeStyle: 'short' })
/** '6:15:04 PM'. */
export const formatTimeSeconds = dateFormat({ timeStyle: 'medium' })

/** 1,000 and above as K, 1,000,000 and above as M, one decimal without '.0'; 999,950 and above round up to 1M. */
export function formatCompactNumber(count: number): string {
  if (count >= 999_950) return `${toOneDecimal(count / 1_000_000)}M`
  if (count >= 1_000) return `${toOneDecimal(count / 1_000)}K`
  return String(count)
}

const toOneDecimal = (value: number) => (Math.round(value * 10) / 10).toFixed(1).replace(/\.0$/, '')

/** 'Email verified' for 'email verified'. */
export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Seconds as '0:07', '2:47', '61:05'. */
export function formatDuration(seconds: number): string {
  const wholeSeconds = Number.isFinite(seconds) ? Math.max(0, Math.floor(seconds)) : 0
  return `${Math.floor(wholeSeconds / 60)}:${String(wholeSeconds % 60).padStart(2, '0')}`
}

/** Integer cents as a form value: '19.99', '15'. */
export const formatCents = (cents: number): string =>
  cents % 100 === 0 ? String(cents / 100) : (cents / 100).toFixed(2)

/**
 * Parses a typed amount to integer cents ('$1,250.5' is 125050); null if invalid. Does not multiply the decimal, as
 * 1.15 * 100 is not exactly 115.
 */
export function parseCents(text: string): number | null {
  const [, units, cents = ''] = /^\$?\s*(\d{1,3}(?:,\d{3})+|\d{1,9})(?:\.(\d{1,2}))?$/.exec(text.trim()) ?? []
  return units === undefined ? null : Number(units.replaceAll(',', '')) * 100 + Number(cents.padEnd(2, '0'))
}

export const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const
export const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const

/** 'July 20, 2025' for a day (YYYY-MM-DD). Independent of time zones, so server and browser agree. */
export function formatCalendarDate(day: string): string {
  return `${MONTHS[Number(day.slice(5, 7)) - 1]} ${Number(day.slice(8, 10))}, ${day.slice(0, 4)}`
}

/** '300 KB', '1.2 MB', '10.7 GB': a kilobyte has 1,000 bytes. */
export function formatBytes(bytes: number): string {
  if (bytes < 1_000_000) return `${toOneDecimal(bytes / 1000)} KB`
  return bytes < 1_000_000_000 ? `${toOneDecimal(bytes / 1_000_000)} MB` : `${toOneDecimal(bytes / 1_000_000_000)} GB`
}
