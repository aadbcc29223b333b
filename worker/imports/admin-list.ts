import { inArray, type SQL, sql } from 'drizzle-orm'
import {
  type Contact,
  IMPORT_KIND_IDS,
  IMPORT_OUTCOMES,
  IMPORT_REASONS,
  IMPORT_SOURCES,
  IMPORT_STATES,
  type Import,
  type ImportedSales,
  type ImportReason,
  type ImportRow,
  UNDO_EXCEPTIONS,
  type UndoException,
} from '../contract/imports'
import {
  columnFilter,
  conditionFilter,
  containsText,
  daysFilter,
  type ListDefinition,
  matchesSearch,
  type RecordList,
} from '../db/list'
import { type Millis, toIso } from '../lib/clock'
import { maskEmail } from '../lib/email'
import { importQuery, toImport } from './imports'
import { imports } from './imports.table'

/** Imports, newest first. */
export const importList: RecordList<Import> = {
  from: sql`imports`,
  where: sql`imports.state <> 'uploading'`,
  id: sql`imports.id`,
  sorts: { uploaded: sql`imports.created_at`, file: sql`imports.file_name` },
  defaultSort: '-uploaded',
  filters: {
    kind: columnFilter(sql`imports.kind`, IMPORT_KIND_IDS),
    state: columnFilter(sql`imports.state`, IMPORT_STATES),
    uploaded: daysFilter(sql`imports.created_at`),
  },
  search: (q) => ({ where: containsText([sql`imports.file_name`], q) }),
  load: async (db, ids) => (await importQuery(db).where(inArray(imports.id, ids.map(String)))).map(toImport),
}

type ContactRow = Omit<Contact, 'since' | 'importedAt'> & { since: Millis | null; at: Millis }

/** Imported contacts, newest first, with masked emails. A search finds part of a name or a whole address. */
export const contactList: ListDefinition<ContactRow, Contact> = {
  select: sql`contact.id, contact.source, contact.email, contact.name, contact.country, contact.tier,
    contact.member_status AS memberStatus, contact.lifetime_cents AS lifetimeCents, contact.currency, contact.purchases,
    contact.since, contact.created_at AS at, subscriber.state AS newsletter`,
  from: sql`contacts contact LEFT JOIN subscribers subscriber ON subscriber.email_key = contact.email_key`,
  id: sql`contact.id`,
  sorts: { imported: sql`contact.created_at`, purchases: sql`coalesce(contact.purchases, -1)` },
  defaultSort: '-imported',
  filters: {
    source: columnFilter(sql`contact.source`, IMPORT_SOURCES),
    newsletter: conditionFilter({
      confirmed: sql`subscriber.state = 'confirmed'`,
      pending: sql`subscriber.state = 'pending'`,
      unsubscribed: sql`subscriber.state = 'unsubscribed'`,
      none: sql`subscriber.state IS NULL`,
    }),
    imported: daysFilter(sql`contact.created_at`),
  },
  search: (q) => ({ where: matchesSearch({ texts: [sql`contact.name`], emails: [sql`contact.email_key`] }, q) }),
  toItem: ({ email, since, at, ...contact }) => ({
    ...contact,
    email: maskEmail(email),
    since: toIso(since),
    importedAt: toIso(at),
  }),
}

const salesKey = sql`yearly.key`

/** Sales on other platforms by year, platform and currency, latest year first. */
export const importedSalesList: ListDefinition<ImportedSales, ImportedSales> = {
  select: sql`yearly.year, yearly.source, yearly.currency, yearly.sales, yearly.pieces, yearly.amountCents`,
  from: sql`(SELECT CAST(strftime('%Y', sold_at / 1000, 'unixepoch') AS integer) AS year, source, currency,
      strftime('%Y', sold_at / 1000, 'unixepoch') || ' ' || source || ' ' || currency AS key,
      count(*) AS sales, sum(quantity) AS pieces,
      CAST(min(total(amount_cents), ${Number.MAX_SAFE_INTEGER}) AS integer) AS amountCents
    FROM imported_sales GROUP BY year, source, currency) yearly`,
  id: salesKey,
  sorts: { year: salesKey },
  defaultSort: '-year',
  filters: { source: columnFilter(sql`yearly.source`, IMPORT_SOURCES) },
  toItem: (row) => row,
}

const rowNumber = sql`import_rows.row`
type ReportedRow = Pick<ImportRow, 'row' | 'outcome'> & {
  reason: ImportReason | null
  undone: 'removed' | UndoException | null
  value: string | null
}

/** Rows that were skipped or imported only in part; of an undone import, rows that the undo left in place. */
export const reportedRowList: ListDefinition<ReportedRow, ImportRow> = {
  select: sql`import_rows.row, outcome, reason, undone, value`,
  from: sql`import_rows`,
  // The first condition repeats that of a partial index, so that SQLite uses the index.
  where: sql`(reason IS NOT NULL OR undone IS NOT NULL) AND (undone <> 'removed'
    OR reason IS NOT NULL AND (SELECT state FROM imports WHERE id = import_id) <> 'undone')`,
  id: rowNumber,
  sorts: { row: rowNumber },
  defaultSort: 'row',
  filters: { outcome: columnFilter(sql`outcome`, IMPORT_OUTCOMES) },
  toItem: ({ row, outcome, value, ...reported }) => ({
    row,
    outcome,
    value: value ?? '',
    reason: reasonText(reported),
  }),
}

function reasonText({ reason, undone }: Pick<ReportedRow, 'reason' | 'undone'>): string {
  if (undone !== null && undone !== 'removed') return UNDO_EXCEPTIONS[undone]
  return reason === null ? '' : IMPORT_REASONS[reason]
}

/** SQL condition for `reportedRowList`: the rows of one import. */
export const rowsOfImport = (id: string): SQL => sql`import_id = ${id}`
