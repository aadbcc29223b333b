import { type AuditEntry, adminUsersApi } from '../../worker/contract/admin'
import { formatDateTimeSeconds } from '../lib/format'
import type { Column } from '../ui/DataTable'
import { ListPanel } from './ListPanel'
import { usePagedListing } from './listings'

const columns: readonly Column<AuditEntry>[] = [
  { id: 'at', header: 'When', cell: (row) => <span className="figures">{formatDateTimeSeconds(row.at)}</span> },
  { id: 'actor', header: 'Who', cell: (row) => row.actor },
  { id: 'action', header: 'What', cell: (row) => row.action },
  { id: 'subject', header: 'To what', cell: (row) => row.subject },
  {
    id: 'detail',
    header: 'Why, and how',
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
    label: 'Search acts, people, subjects',
  })
  return (
    <ListPanel
      title="Audit"
      note="Every act of an administrator, newest first. Nobody can change or remove a line; a reason that names somebody goes when they are erased."
      listing={listing}
      columns={columns}
      empty="Nothing yet."
    />
  )
}
