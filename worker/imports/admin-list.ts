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
  type RecordList,
} from '../db/list'
import { startsWith } from '../db/pagination'
import { type Millis, toIso } from '../lib/clock'
import { maskEmail, normalizeKey } from '../lib/email'
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

/**
 * Imported contacts, newest first, with masked emails. A search matches only the start of an address.
 */
export const contactList: ListDefinition<ContactRow, Contact> = {
  select: sql`c.id, c.source, c.email, c.name, c.country, c.tier, c.member_status AS memberStatus,
    c.lifetime_cents AS lifetimeCents, c.currency, c.purchases, c.since, c.created_at AS at, s.state AS newsletter`,
  from: sql`contacts c LEFT JOIN subscribers s ON s.email_key = c.email_key`,
  id: sql`c.id`,
  sorts: { imported: sql`c.created_at`, purchases: sql`coalesce(c.purchases, -1)` },
  defaultSort: '-imported',
  filters: {
    source: columnFilter(sql`c.source`, IMPORT_SOURCES),
    newsletter: conditionFilter({
      confirmed: sql`s.state = 'confirmed'`,
      pending: sql`s.state = 'pending'`,
      unsubscribed: sql`s.state = 'unsubscribed'`,
      none: sql`s.state IS NULL`,
    }),
    imported: daysFilter(sql`c.created_at`),
  },
  search: (q) => ({ where: startsWith(sql`c.email_key`, normalizeKey(q)) }),
  toItem: ({ email, since, at, ...contact }) => ({
    ...contact,
    email: maskEmail(email),
    since: toIso(since),
    importedAt: toIso(at),
  }),
}

const salesKey = sql`t.key`

/** Sales on other platforms by year, platform and currency, latest year first. */
export const importedSalesList: ListDefinition<ImportedSales, ImportedSales> = {
  select: sql`t.year, t.source, t.currency, t.sales, t.pieces, t.amountCents`,
  from: sql`(SELECT CAST(strftime('%Y', sold_at / 1000, 'unixepoch') AS integer) AS year, source, currency,
      strftime('%Y', sold_at / 1000, 'unixepoch') || ' ' || source || ' ' || currency AS key,
      count(*) AS sales, sum(quantity) AS pieces, 
      CAST(min(total(amount_cents), ${Number.MAX_SAFE_INTEGER}) AS integer) AS amountCents
    FROM imported_sales GROUP BY year, source, currency) t`,
  id: salesKey,
  sorts: { year: salesKey },
  defaultSort: '-year',
  filters: { source: columnFilter(sql`t.source`, IMPORT_SOURCES) },
  toItem: (row) => row,
}

const rowNumber = sql`import_rows.row`
type ReportedRow = Pick<ImportRow, 'row' | 'outcome'> & {
  reason: ImportReason | null
  undone: 'removed' | UndoException | null
  value: string | null
}

/** Rows that were skipped or imported only in part; of an undone import, those that were retained. */
export const reportedRowList: ListDefinition<ReportedRow, ImportRow> = {
  select: sql`import_rows.row, outcome, reason, undone, value`,
  from: sql`import_rows`,
  where: sql`(reason IS NOT NULL OR undone IS NOT NULL)
    AND iif((SELECT state FROM imports WHERE id = import_id) = 'undone', undone <> 'removed', reason IS NOT NULL OR undone <> 'removed')`,
  id: rowNumber,
  sorts: { row: rowNumber },
  defaultSort: 'row',
  filters: { outcome: columnFilter(sql`outcome`, IMPORT_OUTCOMES) },
  toItem: ({ row, outcome, reason, undone, value }) => ({
    ...{ row, outcome, value: value ?? '' },
    reason:
      undone === null || undone === 'removed'
        ? reason === null
          ? ''
          : IMPORT_REASONS[reason]
        : UNDO_EXCEPTIONS[undone],
  }),
}

export const rowsOfImport = (id: string): SQL => sql`import_id = ${id}`
