import { isEmail } from '../contract/credential-rules'
import {
  type ColumnMapping,
  type ImportField,
  type ImportKind,
  type ImportReason,
  type ImportSource,
  importKindDefinition,
} from '../contract/imports'
import { DAY_MS, type Millis } from '../lib/clock'
import { normalizeKey } from '../lib/email'
import { MAX_CENTS, parseCents, parseCount, parseTime } from './parse-cells'

type SkippedRow = { row: number; action: 'skip'; reason: ImportReason; value: string | null }
type ParsedContact = {
  row: number
  /** `suppress`: the address unsubscribed or bounced on the platform. */
  action: 'subscribe' | 'contact' | 'suppress'
  /** Why a `contact` is not subscribed; else null. */
  reason: ImportReason | null
  email: string
  key: string
  name: string
  country: string
  tier: string
  memberStatus: string
  lifetimeCents: number | null
  currency: string
  purchases: number | null
  since: Millis | null
  consentAt: Millis | null
  confirmedAt: Millis | null
  suppression: 'unsubscribed' | 'suppressed' | null
  /** When the address unsubscribed or bounced; 0 if the file does not say. */
  suppressedAt: Millis
}
type ParsedSale = {
  row: number
  action: 'sale'
  externalId: string
  email: string | null
  key: string | null
  buyer: string | null
  country: string
  item: string
  quantity: number
  amountCents: number
  currency: string
  soldAt: Millis
}
export type ParsedRow = SkippedRow | ParsedContact | ParsedSale

/** Identifies a row's content: a later row of the file with the same value is a duplicate. Null for a skipped row. */
export function entryKey(row: ParsedRow): string | null {
  if (row.action === 'skip') return null
  return row.action === 'sale' ? row.externalId : row.key
}

const MAX_CELL_CHARS = 200
const MAX_REPORTED_CHARS = 100

/** The cell's text as one line without control characters. */
const cleanCell = (cell: string) =>
  cell
    .normalize('NFC')
    .replace(/[\u0000-\u001f\u007f]+/g, ' ')
    .trim()
    .slice(0, MAX_CELL_CHARS)

const SUBSCRIBED_STATUSES = new Set(['subscribed', 'yes', 'true', '1', 'active', 'confirmed'])
const UNSUBSCRIBED_STATUSES = new Set(['unsubscribed', 'opted out', 'opted-out'])
const BOUNCED_STATUSES = new Set(['cleaned', 'bounced', 'hard bounced', 'invalid'])
const NOT_A_SALE = /payout|refund|reversal|\bfee\b|withh[eo]ld|pending/i
const PAID_STATUSES = new Set(['', 'paid', 'partially_refunded', 'partially refunded'])
type NewsletterState = 'on' | 'off' | 'unsubscribed' | 'bounced'

/** Tolerance for platforms' clocks and for times without a zone. */
const CLOCK_TOLERANCE_MS: Millis = DAY_MS

type RowSettings = {
  kind: ImportKind
  mapping: ColumnMapping
  columnCount: number
  /** An admin confirmed that the contacts agreed to the newsletter. */
  consentAttested: boolean
  /** When the file was uploaded. Dates later than this plus CLOCK_TOLERANCE_MS are invalid. */
  uploadedAt: Millis
}

/**
 * Parses the records of a file in order. The reader is stateful: it detects repeated entries, and completes the other
 * lines of a Shopify order from its first line. To resume within a file, start at an order's first line.
 */
export function createRowReader({ kind, mapping, columnCount, consentAttested, uploadedAt }: RowSettings) {
  const { rows: rowType, source } = importKindDefinition(kind)
  const earlierKeys = new Set<string>()
  let record: readonly string[] = []
  let lastOrder: readonly string[] = []
  let orderRow: number | null = null

  const hasColumn = (field: ImportField) => mapping[field] !== undefined
  const cellOf = (cells: readonly string[], field: ImportField) => cleanCell(cells[mapping[field] ?? -1] ?? '')
  const cell = (field: ImportField) => cellOf(record, field)
  const timeOf = (field: ImportField): Millis | null => {
    const at = parseTime(cell(field))
    return at === null || at > uploadedAt + CLOCK_TOLERANCE_MS ? null : at
  }

  const skip = (row: number, reason: ImportReason, value: string | null = null): SkippedRow => ({
    row,
    action: 'skip',
    reason,
    value: value === null ? null : value.slice(0, MAX_REPORTED_CHARS),
  })

  /** State of the contact's subscription on the platform. */
  function newsletterState(): NewsletterState {
    const status = cell('status').toLowerCase()
    if (BOUNCED_STATUSES.has(status) || cell('cleanedAt') !== '') return 'bounced'
    if (UNSUBSCRIBED_STATUSES.has(status) || cell('unsubscribedAt') !== '') return 'unsubscribed'
    if (hasColumn('status')) return SUBSCRIBED_STATUSES.has(status) ? 'on' : 'off'
    // Mailchimp exports one file per state.
    if (hasColumn('cleanedAt')) return 'bounced'
    return hasColumn('unsubscribedAt') ? 'unsubscribed' : 'on'
  }

  /** Why the row does not prove consent to the newsletter; null if it does. */
  function missingConsent(): ImportReason | null {
    if (cell('consentAt') === '') return 'no_consent'
    if (timeOf('consentAt') === null) return 'bad_consent_date'
    if (hasColumn('confirmedAt') && timeOf('confirmedAt') === null) return 'not_confirmed'
    return consentAttested ? null : 'not_attested'
  }

  /** How to import a contact with this state on the platform. */
  function contactAction(state: NewsletterState): Pick<ParsedContact, 'action' | 'reason' | 'suppression'> {
    if (state === 'bounced') return { action: 'suppress', reason: null, suppression: 'suppressed' }
    if (state === 'unsubscribed') return { action: 'suppress', reason: null, suppression: 'unsubscribed' }
    const reason = state === 'off' ? 'not_accepted' : missingConsent()
    return { action: reason === null ? 'subscribe' : 'contact', reason, suppression: null }
  }

  function readContact(row: number): ParsedRow {
    const email = cell('email')
    if (email === '') return skip(row, 'no_email')
    if (!isEmail(email)) return skip(row, 'bad_email')
    const key = normalizeKey(email)
    if (earlierKeys.has(key)) return skip(row, 'duplicate')
    earlierKeys.add(key)
    const state = newsletterState()
    return {
      row,
      ...contactAction(state),
      email,
      key,
      name: cell('name') || `${cell('firstName')} ${cell('lastName')}`.trim(),
      country: cell('country'),
      tier: cell('tier'),
      memberStatus: cell('memberStatus'),
      lifetimeCents: parseCents(cell('lifetime')),
      currency: cell('currency').toUpperCase().slice(0, 3),
      purchases: parseCount(cell('purchases')),
      since: timeOf('since'),
      consentAt: timeOf('consentAt'),
      confirmedAt: timeOf('confirmedAt') ?? timeOf('consentAt'),
      suppressedAt: timeOf(state === 'bounced' ? 'cleanedAt' : 'unsubscribedAt') ?? 0,
    }
  }

  /** The cell of this line. If it is empty in a Shopify order, the cell of the order's first line. */
  function orderCell(field: ImportField): string {
    const ownCell = cell(field)
    const isSameOrder = cell('order') !== '' && cell('order') === cellOf(lastOrder, 'order')
    return ownCell === '' && source === 'shopify' && isSameOrder ? cellOf(lastOrder, field) : ownCell
  }

  function readSale(row: number): ParsedRow {
    if (orderRow === null || cell('order') !== cellOf(lastOrder, 'order')) {
      lastOrder = record
      orderRow = row
    }
    const status = orderCell('saleStatus')
    if (source === 'bandcamp' && NOT_A_SALE.test(status)) return skip(row, 'not_a_sale')
    if (source === 'shopify' && !PAID_STATUSES.has(status.toLowerCase())) return skip(row, 'not_paid')
    const order = cell('order')
    const item = cell('item')
    const variant = cell('variant')
    if (order === '') return skip(row, 'no_order')
    if (item === '') return skip(row, 'no_item')
    const soldAt = parseTime(orderCell('soldAt'))
    if (soldAt === null || soldAt > uploadedAt + CLOCK_TOLERANCE_MS) return skip(row, 'bad_date', orderCell('soldAt'))
    const quantity = cell('quantity') === '' ? 1 : parseCount(cell('quantity'))
    if (!quantity) return skip(row, 'bad_quantity', cell('quantity'))
    const amount = parseCents(cell('amount'))
    if (amount === null) return skip(row, 'bad_amount', cell('amount'))
    if (amount < 0) return skip(row, 'not_a_sale')
    // Shopify exports the unit price, Bandcamp the line's price.
    const amountCents = source === 'shopify' ? amount * quantity : amount
    if (amountCents > MAX_CENTS) return skip(row, 'bad_amount', cell('amount'))
    const currency = orderCell('currency').toUpperCase()
    if (!/^[A-Z]{3}$/.test(currency)) return skip(row, 'bad_currency', currency)
    const externalId = JSON.stringify([order, item, variant])
    if (earlierKeys.has(externalId)) return skip(row, 'duplicate')
    earlierKeys.add(externalId)
    const email = orderCell('email')
    const isAddress = isEmail(email)
    return {
      row,
      action: 'sale',
      externalId,
      email: isAddress ? email : null,
      key: isAddress ? normalizeKey(email) : null,
      buyer: orderCell('buyer') || null,
      country: orderCell('country'),
      item: variant === '' ? item : `${item} (${variant})`,
      quantity,
      amountCents,
      currency,
      soldAt,
    }
  }

  return {
    /** Parses a row; null for an empty line. @param row number of the row in a spreadsheet */
    read(row: number, cells: readonly string[]): ParsedRow | null {
      if (cells.every((text) => text.trim() === '')) return null
      if (cells.length !== columnCount) return skip(row, 'columns')
      record = cells
      return rowType === 'contacts' ? readContact(row) : readSale(row)
    },
    /** The first row of the order that was read last; null for contacts. */
    orderRow: () => orderRow,
  }
}

/** Consent version of imported subscribers. */
export const consentVersionOf = (source: ImportSource) => `import-${source}`
