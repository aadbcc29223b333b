import type { ExportKind } from '../contract/exports'
import { type CsvColumn, decimalFromCents, isoTimestamp } from './csv'

/** Rows of one table (alias `row`) in rowid order. */
export type ExportSource = {
  table: string
  /** Only LEFT JOINs to at most one row, so that no row is dropped or repeated. */
  joins?: string
  where?: string
  columns: readonly CsvColumn[]
}

/** A +1 number in national format, because a leading + would start a formula; `csvCell` escapes other numbers. */
const nationalPhone = (column: string) =>
  `CASE WHEN ${column} GLOB '+1*' AND length(${column}) = 12
    THEN '(' || substr(${column}, 3, 3) || ') ' || substr(${column}, 6, 3) || '-' || substr(${column}, 9) ELSE ${column} END`

const column = (name: string): CsvColumn => ({ header: name, sql: `row.${name}` })
const timestampColumn = (header: string, column: string): CsvColumn => ({
  header,
  sql: isoTimestamp(`row.${column}`),
  isPlain: true,
})

/** Header and JSON field of each address column. */
const ADDRESS_COLUMNS = [
  ['shipTo', 'name'],
  ['street', 'line1'],
  ['street2', 'line2'],
  ['city', 'city'],
  ['state', 'state'],
  ['postalCode', 'postalCode'],
  ['country', 'country'],
] as const

/** The tax on an order's shipping, reported with its first line. */
const SHIPPING_TAX = `iif(row.position = 1, orders.tax_cents - (SELECT sum(tax_cents) FROM order_lines l WHERE l.order_id = row.order_id), 0)`

export const EXPORT_SOURCES: Readonly<Record<ExportKind, ExportSource>> = {
  supporters: {
    table: 'users',
    where: "row.role = 'supporter' AND row.is_demo_login = 0 AND row.erased_at IS NULL",
    columns: [
      column('id'),
      column('username'),
      column('email'),
      { header: 'emailVerified', sql: "iif(row.email_verified_at IS NULL, 'no', 'yes')" },
      column('tier'),
      column('points'),
      timestampColumn('joinedAt', 'created_at'),
      timestampColumn('lastActiveAt', 'last_active_at'),
      { header: 'banned', sql: "iif(row.banned_at IS NULL, 'no', 'yes')" },
    ],
  },
  newsletter: {
    table: 'subscribers',
    columns: [
      column('email'),
      column('state'),
      { header: 'consentVersion', sql: 'row.consent_version' },
      timestampColumn('consentAt', 'consent_at'),
      timestampColumn('confirmedAt', 'confirmed_at'),
      timestampColumn('unsubscribedAt', 'unsubscribed_at'),
    ],
  },
  orders: {
    table: 'orders',
    joins: 'LEFT JOIN users ON users.id = row.user_id',
    columns: [
      column('id'),
      column('status'),
      {
        header: 'product',
        sql: `(SELECT group_concat(iif(quantity = 1, '', quantity || ' x ') || product_name
          || iif(variant_name = '', '', ' (' || variant_name || ')'), '; ' ORDER BY position) FROM order_lines WHERE order_id = row.id)`,
      },
      { header: 'quantity', sql: 'row.units' },
      { header: 'lines', sql: decimalFromCents('row.lines_cents') },
      { header: 'shipping', sql: decimalFromCents('row.shipping_cents') },
      { header: 'discount', sql: decimalFromCents('row.discount_cents') },
      { header: 'tax', sql: decimalFromCents('row.tax_cents') },
      { header: 'taxIncluded', sql: "iif(row.tax_included, 'yes', 'no')" },
      { header: 'amount', sql: decimalFromCents('row.amount_cents') },
      { header: 'currency', sql: 'row.currency' },
      { header: 'refunded', sql: decimalFromCents('row.refunded_cents') },
      { header: 'refundReason', sql: 'row.refund_reason' },
      { header: 'promotionCode', sql: 'row.promotion_code' },
      // A test order: no card was charged and nothing is shipped.
      { header: 'test', sql: "iif(row.is_test, 'yes', 'no')" },
      { header: 'buyer', sql: 'users.username' },
      column('email'),
      // An order without shipped goods has a tax location instead of an address.
      ...ADDRESS_COLUMNS.map(([header, field]) => ({
        header,
        sql: `coalesce(row.tax_location ->> '$.${field}', row.shipping_address ->> '$.${field}')`,
      })),
      column('fulfilment'),
      column('tracking'),
      timestampColumn('createdAt', 'created_at'),
      timestampColumn('paidAt', 'paid_at'),
    ],
  },
  // An order's shipping cost is reported with its first line, so that the lines' amounts add up to the order's.
  'order-lines': {
    table: 'order_lines',
    joins:
      'LEFT JOIN orders ON orders.id = row.order_id LEFT JOIN product_variants ON product_variants.id = row.variant_id',
    columns: [
      { header: 'order', sql: 'row.order_id' },
      { header: 'line', sql: 'row.position' },
      { header: 'status', sql: 'orders.status' },
      { header: 'product', sql: 'row.product_name' },
      { header: 'variant', sql: 'row.variant_name' },
      { header: 'sku', sql: 'product_variants.sku' },
      column('kind'),
      column('quantity'),
      { header: 'unitPrice', sql: decimalFromCents('row.unit_price_cents') },
      { header: 'lines', sql: decimalFromCents('row.quantity * row.unit_price_cents') },
      { header: 'discount', sql: decimalFromCents('row.discount_cents') },
      { header: 'tax', sql: decimalFromCents('row.tax_cents') },
      { header: 'taxIncluded', sql: "iif(orders.tax_included, 'yes', 'no')" },
      { header: 'shipping', sql: decimalFromCents('iif(row.position = 1, orders.shipping_cents, 0)') },
      { header: 'shippingTax', sql: decimalFromCents(SHIPPING_TAX) },
      {
        header: 'amount',
        sql: decimalFromCents(`(row.quantity * row.unit_price_cents - row.discount_cents + iif(row.position = 1, orders.shipping_cents, 0)
          + iif(orders.tax_included, 0, row.tax_cents + ${SHIPPING_TAX}))`),
      },
      { header: 'currency', sql: 'orders.currency' },
      { header: 'refundedQuantity', sql: 'row.refunded_quantity' },
      { header: 'refunded', sql: decimalFromCents('row.refunded_cents') },
      { header: 'restocked', sql: 'row.restocked_quantity' },
      { header: 'test', sql: "iif(orders.is_test, 'yes', 'no')" },
      { header: 'paidAt', sql: isoTimestamp('orders.paid_at'), isPlain: true },
    ],
  },
  'verse-submissions': {
    table: 'verse_submissions',
    joins: 'LEFT JOIN challenges ON challenges.id = row.challenge_id',
    columns: [
      { header: 'challenge', sql: 'challenges.title' },
      column('name'),
      column('email'),
      { header: 'phoneNumber', sql: nationalPhone('row.phone_number') },
      timestampColumn('submittedAt', 'submitted_at'),
      { header: 'termsVersion', sql: 'row.terms_version' },
      { header: 'shortlisted', sql: "iif(row.shortlisted, 'yes', 'no')" },
      column('note'),
    ],
  },
  'golden-verse-votes': {
    table: 'challenge_ballots',
    // Only counted votes of finalized challenges, because interim results are secret.
    where:
      'row.excluded_for IS NULL AND row.challenge_id IN (SELECT id FROM challenges WHERE ballots_sha256 IS NOT NULL)',
    joins: 'LEFT JOIN challenge_finalists ON challenge_finalists.id = row.finalist_id',
    columns: [
      { header: 'ballot', sql: 'row.id' },
      timestampColumn('castAt', 'cast_at'),
      { header: 'finalist', sql: 'challenge_finalists.name' },
      { header: 'voterPseudonym', sql: 'row.voter_pseudonym' },
    ],
  },
  // Reversed points have their own column: a leading minus would start a formula.
  points: {
    table: 'ledger',
    joins: 'LEFT JOIN users ON users.id = row.user_id',
    columns: [
      { header: 'entry', sql: 'row.id' },
      { header: 'supporter', sql: 'row.user_id' },
      { header: 'username', sql: 'users.username' },
      column('action'),
      column('description'),
      { header: 'given', sql: 'max(row.points, 0)' },
      { header: 'takenBack', sql: 'max(-row.points, 0)' },
      timestampColumn('createdAt', 'created_at'),
    ],
  },
}
