import { type AUDIT_AREAS, type AuditEntry, adminUsersApi } from '../../worker/contract/admin'
import { formatDateTimeSeconds } from '../lib/format'
import { auditDetails, auditSentence } from './audit-sentences'
import { AdminList } from './list/AdminList'
import { type AdminListDefinition, choiceFilter } from './list/list-definition'

const auditList: AdminListDefinition<'/api/admin/audit', AuditEntry> = {
  name: 'audit',
  title: 'Audit log',
  endpoint: adminUsersApi.audit,
  searchLabel: 'Search actions, people, names',
  nameOf: (row) => `${row.actor} ${auditSentence(row)}`,
  columns: [
    {
      id: 'what',
      header: 'Entry',
      cell: (row) => (
        <span>
          <strong className="font-semibold">{row.actor}</strong> {auditSentence(row)}
        </span>
      ),
    },
    { id: 'detail', header: 'Reason and details', cell: (row) => auditDetails(row.detail) },
    {
      id: 'when',
      header: 'Time',
      cell: (row) => <span className="tabular-figures">{formatDateTimeSeconds(row.at)}</span>,
      sort: 'when',
    },
    { id: 'action', header: 'Action', cell: (row) => row.action, isOptional: true },
    { id: 'subject', header: 'Record', cell: (row) => row.subject, isOptional: true },
  ],
  filters: [
    choiceFilter<keyof typeof AUDIT_AREAS>('area', 'Area', {
      content: 'Content',
      shop: 'Shop',
      people: 'People',
      community: 'Community and challenge',
      email: 'Email',
      team: 'Team and logins',
    }),
    { id: 'when', label: 'Time', kind: 'days' },
  ],
  empty: 'Nothing has been recorded yet. Every change that the team makes will be listed here.',
}

/** Every admin action as a sentence. */
export const AuditTab = () => (
  <AdminList
    list={auditList}
    note="Every admin action, newest first. Entries can’t be changed or removed; a reason that names someone is deleted when that person is erased."
  />
)
