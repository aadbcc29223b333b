import { Download } from 'lucide-react'
import { type Import, type ImportRow, importsApi } from '../../worker/contract/imports'
import { AdminList } from '../admin/list/AdminList'
import { type AdminListDefinition, choiceFilter } from '../admin/list/list-definition'
import { MetricCard } from '../admin/MetricCard'
import { Panel } from '../admin/Panel'
import { fillPath } from '../api/call'
import { downloadFile } from '../api/download'
import { formatCount } from '../lib/format'
import { buttonClass } from '../ui/Button'

const EMPTY_TEXTS: Partial<Record<Import['state'], string>> = {
  checked: 'Every row can be imported in full.',
  undone: 'Nothing from this import remains.',
}

const LIST_TITLES: Partial<Record<Import['state'], string>> = {
  checked: 'Rows that can’t be imported in full',
  undone: 'Rows left in place',
}

const reportList = ({ id, state }: Import): AdminListDefinition<'/api/admin/imports/:id/rows', ImportRow> => ({
  name: 'imports.rows',
  title: LIST_TITLES[state] ?? 'Rows not imported in full',
  endpoint: importsApi.rows,
  input: { id },
  nameOf: ({ row }) => `Row ${row}`,
  keyOf: ({ row }) => String(row),
  filters: [choiceFilter('outcome', 'Result', { skipped: 'Skipped', contact: 'Only as a contact' })],
  empty: EMPTY_TEXTS[state] ?? 'Every row was imported in full.',
  columns: [
    { id: 'row', header: 'Row', cell: ({ row }) => formatCount(row), isNumeric: true },
    { id: 'reason', header: 'Reason', cell: (row) => row.reason },
    { id: 'value', header: 'Cell', cell: (row) => <span className="wrap-anywhere">{row.value}</span> },
  ],
})

const REPORT_TITLES: Partial<Record<Import['state'], string>> = {
  checked: 'What an import would do',
  imported: 'What was imported',
  undone: 'What was undone',
}

/** The counts of an import, and the rows that it did not import in full or that its undo left in place. */
export function ImportReport({ record }: { record: Import }) {
  const { counts, state } = record
  if (!counts) return null
  const metrics: readonly (readonly [label: string, count: number, note?: string])[] =
    state === 'undone'
      ? [
          ['Removed', counts.removed],
          ['Left in place', counts.stays, 'Changed since the import.'],
        ]
      : [
          ['Newsletter', counts.subscribed, 'They agreed, and get the next newsletter.'],
          ['Contacts', counts.contact, 'We never email them.'],
          ['Never to email', counts.suppressed + counts.unsubscribed, 'Unsubscribed or bounced there.'],
          ['Sales', counts.sale],
          ['Skipped', counts.skipped],
        ]
  const visibleMetrics = metrics.filter(([label, count]) => count > 0 || label === 'Skipped' || label === 'Removed')
  return (
    <>
      <Panel title={REPORT_TITLES[state] ?? 'Report'} className="mt-12 mb-12">
        <dl className="grid grid-cols-2 gap-x-6 gap-y-8 md:grid-cols-4">
          {visibleMetrics.map(([label, count, note]) => (
            <MetricCard key={label} label={label} value={formatCount(count)} note={note} />
          ))}
        </dl>
      </Panel>
      <AdminList
        list={reportList(record)}
        tools={
          <a
            href={fillPath(importsApi.report.path, { id: record.id })}
            download
            className={buttonClass()}
            onClick={(event) => {
              event.preventDefault()
              void downloadFile(importsApi.report, record.id)
            }}
          >
            <Download size={18} aria-hidden />
            Download the report
          </a>
        }
      />
    </>
  )
}
