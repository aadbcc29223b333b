import * as z from 'zod/mini'
import { del, get, listQuery, managers, post, type RawBody, upload } from './endpoint'
import { timestamp } from './fields'

export const MAX_IMPORT_BYTES = 20 * 1024 * 1024
export const MAX_IMPORT_ROWS = 100_000
export const MAX_IMPORT_COLUMNS = 200
const CSV_FILE: RawBody = { types: ['text/csv'], maxBytes: MAX_IMPORT_BYTES }

/** Version of `IMPORT_CONSENT_TEXT`; stored with an import that adds subscribers. */
export const IMPORT_CONSENT_VERSION = 'import-consent-2026-11-27'
export const IMPORT_CONSENT_TEXT =
  'The people in this file agreed to get the artist’s newsletter, at the times the file states, and I can show it.'

/** Platforms whose exports are read. */
export const IMPORT_SOURCES = ['bandcamp', 'mailchimp', 'patreon', 'shopify'] as const
export type ImportSource = (typeof IMPORT_SOURCES)[number]

/** Fields that a column can be mapped to. */
const IMPORT_FIELDS = [
  'email',
  'name',
  'firstName',
  'lastName',
  'country',
  'status',
  'consentAt',
  'confirmedAt',
  'unsubscribedAt',
  'cleanedAt',
  'tier',
  'memberStatus',
  'since',
  'lifetime',
  'currency',
  'purchases',
  'order',
  'item',
  'variant',
  'quantity',
  // Of all units of a row at Bandcamp, of one unit at Shopify.
  'amount',
  'soldAt',
  'saleStatus',
  'buyer',
] as const
export type ImportField = (typeof IMPORT_FIELDS)[number]

type FieldDefinition = {
  label: string
  required?: true
  /** Names of the column in exports of the platform, in lower case; the first is the current one. */
  headers: readonly string[]
}

type KindDefinition = {
  source: ImportSource
  label: string
  /** Menus that lead to this export on the platform. */
  exportSteps: string
  /** What a row is: a contact or a sale. */
  rows: 'contacts' | 'sales'
  fields: Partial<Record<ImportField, FieldDefinition>>
}

const contactFields = {
  firstName: { label: 'First name', headers: ['first name', 'firstname'] },
  lastName: { label: 'Last name', headers: ['last name', 'lastname'] },
} as const

/** The files that can be imported, by platform. */
export const IMPORT_KINDS = {
  'mailchimp-audience': {
    source: 'mailchimp',
    label: 'Mailchimp: audience',
    exportSteps:
      'Audience, All contacts, Export audience. The zip holds one file each of subscribed, unsubscribed and cleaned addresses.',
    rows: 'contacts',
    fields: {
      email: { label: 'Email', required: true, headers: ['email address', 'email'] },
      ...contactFields,
      status: { label: 'Status', headers: ['status', 'email marketing status'] },
      consentAt: { label: 'Agreed on', headers: ['optin_time'] },
      confirmedAt: { label: 'Confirmed on', headers: ['confirm_time'] },
      unsubscribedAt: { label: 'Unsubscribed on', headers: ['unsub_time'] },
      cleanedAt: { label: 'Bounced on', headers: ['clean_time'] },
      country: { label: 'Country', headers: ['cc', 'country'] },
    },
  },
  'bandcamp-list': {
    source: 'bandcamp',
    label: 'Bandcamp: mailing list',
    exportSteps: 'Tools, Mailing list, Export.',
    rows: 'contacts',
    fields: {
      email: { label: 'Email', required: true, headers: ['email', 'email address'] },
      name: { label: 'Name', headers: ['fullname', 'full name', 'name'] },
      ...contactFields,
      consentAt: { label: 'Agreed on', headers: ['date added'] },
      country: { label: 'Country', headers: ['country'] },
      purchases: { label: 'Purchases', headers: ['num purchases'] },
    },
  },
  'bandcamp-sales': {
    source: 'bandcamp',
    label: 'Bandcamp: sales',
    exportSteps: 'Tools, Sales report, Export raw data report.',
    rows: 'sales',
    fields: {
      order: { label: 'Transaction', required: true, headers: ['bandcamp transaction id', 'transaction id'] },
      soldAt: { label: 'Date', required: true, headers: ['date'] },
      item: { label: 'Item', required: true, headers: ['item name'] },
      amount: { label: 'Amount', required: true, headers: ['item total', 'sub total', 'net amount'] },
      currency: { label: 'Currency', required: true, headers: ['currency'] },
      quantity: { label: 'Quantity', headers: ['quantity'] },
      variant: { label: 'Variant', headers: ['package', 'option'] },
      saleStatus: { label: 'Kind of row', headers: ['item type'] },
      buyer: { label: 'Buyer', headers: ['buyer name'] },
      email: { label: 'Buyer’s email', headers: ['buyer email'] },
      country: { label: 'Country', headers: ['country', 'ship to country', 'country code'] },
    },
  },
  'patreon-members': {
    source: 'patreon',
    label: 'Patreon: members',
    exportSteps: 'Audience, Relationship manager, Export members as CSV.',
    rows: 'contacts',
    fields: {
      email: { label: 'Email', required: true, headers: ['email'] },
      name: { label: 'Name', headers: ['name'] },
      memberStatus: { label: 'Patron status', headers: ['patron status'] },
      tier: { label: 'Tier', headers: ['tier'] },
      lifetime: { label: 'Paid in total', headers: ['lifetime amount', 'lifetime $'] },
      currency: { label: 'Currency', headers: ['currency'] },
      since: { label: 'Member since', headers: ['patronage since date'] },
      consentAt: { label: 'Agreed on', headers: [] },
      country: { label: 'Country', headers: ['full country name', 'country'] },
    },
  },
  'shopify-customers': {
    source: 'shopify',
    label: 'Shopify: customers',
    exportSteps: 'Customers, Export, CSV for Excel.',
    rows: 'contacts',
    fields: {
      email: { label: 'Email', required: true, headers: ['email'] },
      ...contactFields,
      status: { label: 'Accepts email marketing', headers: ['accepts email marketing', 'accepts marketing'] },
      consentAt: { label: 'Agreed on', headers: ['email marketing consent updated at'] },
      lifetime: { label: 'Paid in total', headers: ['total spent'] },
      purchases: { label: 'Orders', headers: ['total orders'] },
      currency: { label: 'Currency', headers: ['currency'] },
      country: { label: 'Country', headers: ['default address country code', 'country code', 'country'] },
    },
  },
  'shopify-orders': {
    source: 'shopify',
    label: 'Shopify: orders',
    exportSteps: 'Orders, Export, CSV for Excel.',
    rows: 'sales',
    fields: {
      order: { label: 'Order', required: true, headers: ['name'] },
      soldAt: { label: 'Date', required: true, headers: ['paid at', 'created at'] },
      item: { label: 'Item', required: true, headers: ['lineitem name'] },
      amount: { label: 'Price of one', required: true, headers: ['lineitem price'] },
      currency: { label: 'Currency', required: true, headers: ['currency'] },
      quantity: { label: 'Quantity', headers: ['lineitem quantity'] },
      variant: { label: 'SKU', headers: ['lineitem sku'] },
      saleStatus: { label: 'Payment', headers: ['financial status'] },
      buyer: { label: 'Buyer', headers: ['billing name'] },
      email: { label: 'Buyer’s email', headers: ['email'] },
      country: { label: 'Country', headers: ['billing country'] },
    },
  },
} as const satisfies Record<string, KindDefinition>

export type ImportKind = keyof typeof IMPORT_KINDS
export const IMPORT_KIND_IDS = Object.keys(IMPORT_KINDS) as ImportKind[]
export const importKindDefinition = (kind: ImportKind): KindDefinition => IMPORT_KINDS[kind]

/** Index of the column (from 0) that holds each field. */
export type ColumnMapping = Partial<Record<ImportField, number>>

const fieldsOf = (kind: ImportKind) =>
  Object.entries(importKindDefinition(kind).fields) as [ImportField, FieldDefinition][]
const normalizeHeader = (header: string) => header.trim().toLowerCase().replace(/\s+/g, ' ')

/** Maps columns by their names in exports of this kind. Where two columns have the same name, the admin chooses. */
export function mapColumns(kind: ImportKind, headers: readonly string[]): ColumnMapping {
  const names = headers.map(normalizeHeader)
  const mapping: ColumnMapping = {}
  for (const [field, { headers: candidates }] of fieldsOf(kind)) {
    const name = candidates.find((candidate) => names.includes(candidate))
    if (name === undefined) continue
    const column = names.indexOf(name)
    const isUnique = column === names.lastIndexOf(name)
    if (isUnique) mapping[field] = column
  }
  return mapping
}

/** Labels of required fields without a column. */
export const missingFields = (kind: ImportKind, mapping: ColumnMapping): string[] =>
  fieldsOf(kind).flatMap(([field, { label, required }]) => (required && mapping[field] === undefined ? [label] : []))

/** Combinations of headers that identify a kind; the first match counts. */
const SIGNATURES: readonly [ImportKind, readonly string[]][] = [
  ['bandcamp-sales', ['bandcamp transaction id', 'item name']],
  ['shopify-orders', ['lineitem name', 'name']],
  ['shopify-customers', ['email', 'accepts email marketing']],
  ['shopify-customers', ['email', 'accepts marketing', 'total spent']],
  ['patreon-members', ['email', 'patron status']],
  ['mailchimp-audience', ['email address', 'leid']],
  ['mailchimp-audience', ['email address', 'optin_time']],
  ['bandcamp-list', ['email', 'num purchases']],
  ['bandcamp-list', ['email', 'date added']],
]

/** The kind of export with these headers; null if none is recognized. */
export function detectKind(headers: readonly string[]): ImportKind | null {
  const names = headers.map(normalizeHeader)
  return SIGNATURES.find(([, required]) => required.every((name) => names.includes(name)))?.[0] ?? null
}

/** Why a row was skipped, or imported only in part. */
export const IMPORT_REASONS = {
  columns: 'The row has more or fewer cells than there are columns.',
  no_email: 'There is no email address.',
  bad_email: 'This is not an email address.',
  duplicate: 'The same entry is in an earlier row of this file.',
  erased: 'This person asked us to delete their data.',
  known: 'Already here from an earlier import.',
  stopped: 'Added as a contact without the newsletter: they unsubscribed, bounced or complained before.',
  no_consent: 'Added as a contact without the newsletter: the file does not say when they agreed.',
  not_confirmed: 'Added as a contact without the newsletter: the file does not say when they confirmed.',
  bad_consent_date: 'Added as a contact without the newsletter: we cannot read when they agreed.',
  not_accepted: 'Added as a contact without the newsletter: they did not agree to it.',
  not_attested: 'Added as a contact without the newsletter: no one confirmed their agreement.',
  subscribed_here: 'Added as a contact; their newsletter subscription here stays as it is.',
  left_here: 'Added as a contact without the newsletter: they unsubscribed here.',
  waiting_here: 'Added as a contact: they have not yet confirmed a newsletter subscription here.',
  already_suppressed: 'We already send this address no newsletter.',
  subscribed_later: 'They subscribed here after they had unsubscribed there.',
  not_a_sale: 'Not a sale: a payout, refund, fee or other row.',
  not_paid: 'Not paid, or refunded.',
  no_order: 'There is no order or transaction.',
  no_item: 'There is no item.',
  bad_date: 'We cannot read this date.',
  bad_amount: 'We cannot read this amount.',
  bad_quantity: 'We cannot read this quantity.',
  bad_currency: 'A currency is a code like USD.',
} as const
export type ImportReason = keyof typeof IMPORT_REASONS

/** Why an undo left something in place. */
export const UNDO_EXCEPTIONS = {
  unsubscribed: 'Stays: they unsubscribed meanwhile, which we must remember.',
  changed: 'Stays: they changed their subscription meanwhile.',
  suppressed: 'Stays: there is a newer reason not to email them.',
} as const
export type UndoException = keyof typeof UNDO_EXCEPTIONS

export const IMPORT_OUTCOMES = ['subscribed', 'contact', 'suppressed', 'unsubscribed', 'sale', 'skipped'] as const

/**
 * Rows by outcome. `reasons` counts rows by reason; `removed` and `stays` count what an undo removed and left in place.
 */
export const ImportCounts = z.object({
  subscribed: z.int(),
  contact: z.int(),
  suppressed: z.int(),
  unsubscribed: z.int(),
  sale: z.int(),
  skipped: z.int(),
  reasons: z.record(z.string(), z.int()),
  removed: z.int(),
  stays: z.int(),
})
export type ImportCounts = z.infer<typeof ImportCounts>

export const IMPORT_STATES = [
  'uploaded',
  'checking',
  'checked',
  'importing',
  'imported',
  'undoing',
  'undone',
  'failed',
  'expired',
] as const
type ImportState = (typeof IMPORT_STATES)[number]
/** States in which a step is running. */
export const IMPORT_STATES_IN_PROGRESS = ['checking', 'importing', 'undoing'] as const satisfies readonly ImportState[]

/** One uploaded file and the state of its import. */
export const Import = z.object({
  id: z.string(),
  fileName: z.string(),
  sizeBytes: z.int(),
  /** Data rows of the file. */
  rows: z.int(),
  headers: z.array(z.string()),
  /** Null until recognized or chosen. */
  kind: z.nullable(z.enum(IMPORT_KIND_IDS)),
  mapping: z.record(z.string(), z.int()),
  /** An admin confirmed that the contacts agreed to the newsletter. */
  consentAttested: z.boolean(),
  state: z.enum(IMPORT_STATES),
  /** Id of the current or last step (dry run, import, undo); a repeated dry run has a new one. */
  run: z.string(),
  /** Number of rows that the current step has processed. */
  done: z.int(),
  /** Counts of the dry run, later of the import; null before. */
  counts: z.nullable(ImportCounts),
  /** When the same file was imported before; null if it was not. */
  importedBeforeAt: z.nullable(timestamp),
  requestedBy: z.string(),
  requestedAt: timestamp,
  finishedAt: z.nullable(timestamp),
  /** Undo is possible until then; null if it is not possible. */
  undoUntil: z.nullable(timestamp),
})
export type Import = z.infer<typeof Import>

/** A row that was skipped, imported only in part, or retained by an undo. */
export const ImportRow = z.object({
  /** Row number in a spreadsheet: the first row below the header is 2. */
  row: z.int(),
  outcome: z.enum(IMPORT_OUTCOMES),
  reason: z.string(),
  /** The cell that cannot be read; empty for other reasons. */
  value: z.string(),
})
export type ImportRow = z.infer<typeof ImportRow>

export const ImportSettings = z.strictObject({
  kind: z.enum(IMPORT_KIND_IDS, 'Please choose what this file is.'),
  mapping: z.partialRecord(z.enum(IMPORT_FIELDS), z.int().check(z.minimum(0), z.maximum(MAX_IMPORT_COLUMNS - 1))),
  consentAttested: z.boolean(),
})
export type ImportSettings = z.infer<typeof ImportSettings>

/** `run` is the dry run whose result the admin saw. */
const ImportStart = z.strictObject({ run: z.string().check(z.maxLength(64)) })

/** A contact from another platform; the address is masked. */
export const Contact = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  source: z.enum(IMPORT_SOURCES),
  country: z.string(),
  // As in the file; texts are empty, numbers and times null if it does not state them.
  tier: z.string(),
  memberStatus: z.string(),
  lifetimeCents: z.nullable(z.int()),
  currency: z.string(),
  purchases: z.nullable(z.int()),
  since: z.nullable(timestamp),
  /** State of the newsletter subscription; null without one. */
  newsletter: z.nullable(z.enum(['pending', 'confirmed', 'unsubscribed'])),
  importedAt: timestamp,
})
export type Contact = z.infer<typeof Contact>

/** Sales on another platform in one year (UTC) and currency. */
export const ImportedSales = z.object({
  year: z.int(),
  source: z.enum(IMPORT_SOURCES),
  currency: z.string(),
  /** Number of order lines; `pieces` is the sum of their quantities. */
  sales: z.int(),
  pieces: z.int(),
  amountCents: z.int(),
})
export type ImportedSales = z.infer<typeof ImportedSales>

const managersWithRecentAuth = { ...managers, recentAuth: true } as const

export const importsApi = {
  list: get('/api/admin/imports', z.array(Import), {
    ...managers,
    description:
      "Newest first, 50 per page; `?q=` finds a file's name. Filters `kind`, `state`, `uploaded`; sorts `uploaded`, `file`.",
    query: listQuery('id', 'kind', 'state', 'uploaded'),
  }),
  upload: upload('/api/admin/imports', Import, {
    ...managersWithRecentAuth,
    accepts: CSV_FILE,
    description:
      'Checks and stores a CSV file; its name is `?name=`. Imports nothing. 400 unless it is CSV in UTF-8 or UTF-16.',
    query: ['name'],
    status: 201,
  }),
  contacts: get('/api/admin/contacts', z.array(Contact), {
    ...managers,
    description:
      'Newest first, 50 per page; `?q=` finds part of a name or a whole address. Filters `source`, `newsletter`, `imported`; sorts `imported`, `purchases`.',
    query: listQuery('source', 'newsletter', 'imported'),
  }),
  sales: get('/api/admin/imported-sales', z.array(ImportedSales), {
    ...managers,
    description: "By year, platform and currency, latest year first. The shop's metrics exclude them.",
    query: ['sort', 'cursor', 'source'],
  }),
  read: get('/api/admin/imports/:id', Import, managers),
  check: post('/api/admin/imports/:id/check', ImportSettings, Import, {
    ...managersWithRecentAuth,
    description: '202: a dry run with these settings. 400 if a required column is missing; 409 once imported.',
    status: 202,
  }),
  start: post('/api/admin/imports/:id/start', ImportStart, Import, {
    ...managersWithRecentAuth,
    description:
      '202: imports with the settings of the dry run `run`. 409 without a dry run, and if another one has started since.',
    status: 202,
  }),
  undo: post('/api/admin/imports/:id/undo', null, Import, {
    ...managersWithRecentAuth,
    description:
      '202: removes what the import added, except what was changed since. 409 unless it has finished or failed, and from a month after its start.',
    status: 202,
  }),
  discard: del('/api/admin/imports/:id', null, null, {
    ...managers,
    description: 'Deletes a file that was not imported. 409 afterwards.',
  }),
  rows: get('/api/admin/imports/:id/rows', z.array(ImportRow), {
    ...managers,
    description: 'Rows with a reason, in the order of the file, 50 per page. Filter `outcome`.',
    query: ['sort', 'cursor', 'outcome'],
  }),
  report: get('/api/admin/imports/:id/report', null, {
    ...managersWithRecentAuth,
    description:
      'The rows of `/api/admin/imports/:id/rows` as text/csv; audited. 404 before the dry run has finished and from a month after the import.',
  }),
}
