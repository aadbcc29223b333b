import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, sqliteTable, text, unique, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { type ColumnMapping, IMPORT_STATES, type ImportCounts, type ImportKind } from '../contract/imports'
import { users } from '../users/users.table'
import type { CsvPosition } from './read-csv'

/** A CSV file of another platform, stored in R2 at `imports/<id>.csv` in UTF-8 until it is imported. */
export const imports = sqliteTable(
  'imports',
  {
    id: text('id').primaryKey(),
    /** `uploading` while the file is received. */
    state: text('state', { enum: ['uploading', ...IMPORT_STATES] }).notNull(),
    fileName: text('file_name').notNull(),
    sizeBytes: integer('size_bytes').notNull().default(0),
    /** Hash of the file as it is stored, in lower-case hex. */
    sha256: text('sha256').notNull().default(''),
    rows: integer('rows').notNull().default(0),
    /** Empty once the file is deleted. */
    headers: text('headers', { mode: 'json' }).$type<string[]>().notNull(),
    kind: text('kind').$type<ImportKind>(),
    mapping: text('mapping', { mode: 'json' }).$type<ColumnMapping>().notNull(),
    /** Version of IMPORT_CONSENT_TEXT that an admin confirmed; null if none did. */
    consentVersion: text('consent_version'),
    /** Random id of the current step; a worker of an earlier step changes nothing. */
    stepId: text('run').notNull().default(''),
    /** The last row of the file that the current step has processed. */
    cursor: integer('cursor').notNull().default(0),
    /** From where the next batch is read; null at the start of the file. */
    position: text('position', { mode: 'json' }).$type<CsvPosition>(),
    counts: text('counts', { mode: 'json' }).$type<ImportCounts>(),
    requestedBy: integer('requested_by')
      .notNull()
      .references(() => users.id),
    createdAt: integer('created_at').notNull(),
    /** When the current step last began, processed a batch or ended. */
    updatedAt: integer('updated_at').notNull(),
    /** When the real run began, which is the timestamp of everything that it adds; null before. */
    startedAt: integer('started_at'),
    finishedAt: integer('finished_at'),
    /** When the file is deleted from R2; null afterwards. */
    fileExpiresAt: integer('file_expires_at'),
  },
  (t) => [
    check(
      'imports_state',
      sql`${t.state} in ('uploading', 'uploaded', 'checking', 'checked', 'importing', 'imported', 'undoing', 'undone', 'failed', 'expired')`,
    ),
    check(
      'imports_started',
      sql`${t.state} not in ('importing', 'imported', 'undoing', 'undone') or ${t.startedAt} is not null`,
    ),
    index('imports_newest').on(t.createdAt, t.id),
    index('imports_same_file').on(t.sha256),
    index('imports_file_age').on(t.fileExpiresAt).where(sql`file_expires_at is not null`),
    index('imports_in_progress').on(t.updatedAt).where(sql`state in ('checking', 'importing', 'undoing')`),
  ],
)

/**
 * Outcome of each row of a file. `value` is a cell that could not be parsed (date, number, currency), masked once the
 * file is deleted, because it may contain personal data.
 */
export const importRows = sqliteTable(
  'import_rows',
  {
    importId: text('import_id')
      .notNull()
      .references(() => imports.id),
    /** Row number in a spreadsheet: the first row below the header is 2. */
    row: integer('row').notNull(),
    outcome: text('outcome', {
      enum: ['subscribed', 'contact', 'suppressed', 'unsubscribed', 'sale', 'skipped'],
    }).notNull(),
    /** Key of IMPORT_REASONS; null if the whole row was imported. */
    reason: text('reason'),
    value: text('value'),
    /** Keyed hash by which later batches of the step recognize the same entry. */
    entryHash: text('entry_hash'),
    /** Hash of the suppression that the row added. */
    suppressionHash: text('suppression_hash'),
    /** The subscriber that the row unsubscribed. */
    subscriberId: text('subscriber_id'),
    /** After an undo: 'removed', or the key of UNDO_EXCEPTIONS. */
    undone: text('undone'),
  },
  (t) => [
    primaryKey({ columns: [t.importId, t.row] }),
    check(
      'import_rows_outcome',
      sql`${t.outcome} in ('subscribed', 'contact', 'suppressed', 'unsubscribed', 'sale', 'skipped')`,
    ),
    check('import_rows_reason', sql`${t.outcome} <> 'skipped' or ${t.reason} is not null`),
    uniqueIndex('import_rows_entry').on(t.importId, t.entryHash).where(sql`entry_hash is not null`),
    index('import_rows_reported').on(t.importId, t.row).where(sql`reason is not null or undone is not null`),
  ],
)

/** A contact from another platform. It has no account, and gets no email without a row in `subscribers`. */
export const contacts = sqliteTable(
  'contacts',
  {
    /** `contact_<import>_<row>`, so that a repeated batch adds nothing. */
    id: text('id').primaryKey(),
    source: text('source', { enum: ['bandcamp', 'mailchimp', 'patreon', 'shopify'] }).notNull(),
    email: text('email').notNull(),
    emailKey: text('email_key').notNull(),
    name: text('name').notNull().default(''),
    country: text('country').notNull().default(''),
    tier: text('tier').notNull().default(''),
    memberStatus: text('member_status').notNull().default(''),
    lifetimeCents: integer('lifetime_cents'),
    currency: text('currency').notNull().default(''),
    purchases: integer('purchases'),
    since: integer('since'),
    importId: text('import_id')
      .notNull()
      .references(() => imports.id),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [
    check('contacts_source', sql`${t.source} in ('bandcamp', 'mailchimp', 'patreon', 'shopify')`),
    unique('contacts_once').on(t.source, t.emailKey),
    index('contacts_by_address').on(t.emailKey),
    index('contacts_newest').on(t.createdAt, t.id),
  ],
)

/** A sale on another platform. It is not an order: stock and metrics exclude it. */
export const importedSales = sqliteTable(
  'imported_sales',
  {
    /** `sale_<import>_<row>`. */
    id: text('id').primaryKey(),
    source: text('source', { enum: ['bandcamp', 'shopify'] }).notNull(),
    /** JSON of order, item and variant on the platform. */
    externalId: text('external_id').notNull(),
    /** Null if the file has none, or once erased. */
    email: text('email'),
    emailKey: text('email_key'),
    buyer: text('buyer'),
    country: text('country').notNull().default(''),
    item: text('item').notNull(),
    quantity: integer('quantity').notNull(),
    amountCents: integer('amount_cents').notNull(),
    currency: text('currency').notNull(),
    soldAt: integer('sold_at').notNull(),
    importId: text('import_id')
      .notNull()
      .references(() => imports.id),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [
    check('imported_sales_source', sql`${t.source} in ('bandcamp', 'shopify')`),
    check('imported_sales_amounts', sql`${t.quantity} > 0 and ${t.amountCents} >= 0`),
    unique('imported_sales_once').on(t.source, t.externalId),
    index('imported_sales_by_address').on(t.emailKey).where(sql`email_key is not null`),
    index('imported_sales_with_buyer').on(t.soldAt).where(sql`email_key is not null or buyer is not null`),
  ],
)
