import { type AuditEntry, adminUsersApi } from '../../worker/contract/admin'
import { formatDateTimeSeconds } from '../lib/format'
import type { Column } from '../ui/DataTable'
import { ListPanel } from './ListPanel'
import { usePagedListing } from './listings'

const columns: readonly Column<AuditEntry>[] = [
  { id: 'at', header: 'When', cell: (row) => <span className="tabular-figures">{formatDateTimeSeconds(row.at)}</span> },
  { id: 'actor', header: 'Who', cell: (row) => row.actor },
  { id: 'action', header: 'What', cell: (row) => row.action },
  { id: 'subject', header: 'Subject', cell: (row) => row.subject },
  {
    id: 'detail',
    header: 'Reason and details',
    cell: ({ detail }) =>
      Object.entries(detail)
        .map(([name, value]) => `${name}: ${value}`)
        .join(', '),
  },
]

export function AuditTab() {
  const listing = usePagedListing({
    key: ['admin', 'audit'],
    endpoint: adminUsersApi.audit,
    label: 'Search actions, people, subjects',
  })
  return (
    <ListPanel
      title="Audit"
      note="Every admin action, newest first. Entries can’t be changed or removed; a reason that names someone is deleted when that person is erased."
      listing={listing}
      columns={columns}
      empty="No entries yet."
    />
  )
}
