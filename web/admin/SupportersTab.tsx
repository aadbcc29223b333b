import { type AdminSupporter, adminUsersApi } from '../../worker/contract/admin'
import { TIER_LABELS } from '../../worker/contract/site'
import { call } from '../api/call'
import { formatCount, formatDate } from '../lib/format'
import { buttonClass } from '../ui/Button'
import { AdminList } from './list/AdminList'
import { type AdminListDefinition, choiceFilter } from './list/list-definition'
import { ScreenLink } from './ScreenLink'
import { toScreen } from './screen-location'

const supporterList: AdminListDefinition<'/api/admin/supporters', AdminSupporter> = {
  name: 'supporters',
  title: 'Supporters',
  endpoint: adminUsersApi.supporters,
  searchLabel: 'Search by name or full email',
  nameOf: (row) => row.username,
  linkOf: (row) => toScreen('supporter', { params: { id: row.id } }),
  columns: [
    { id: 'name', header: 'Name', cell: (row) => row.username, sort: 'name' },
    { id: 'email', header: 'Email', cell: (row) => row.email || 'None' },
    { id: 'tier', header: 'Tier', cell: (row) => TIER_LABELS[row.tier] },
    { id: 'points', header: 'Points', cell: (row) => formatCount(row.points), isNumeric: true, sort: 'points' },
    {
      id: 'joined',
      header: 'Joined',
      cell: (row) => <span className="tabular-figures">{formatDate(row.joinedAt)}</span>,
      sort: 'joined',
    },
    {
      id: 'seen',
      header: 'Last active',
      cell: (row) => <span className="tabular-figures">{formatDate(row.lastActiveAt)}</span>,
      sort: 'seen',
      isOptional: true,
    },
    { id: 'state', header: 'State', cell: (row) => <SupporterState supporter={row} /> },
  ],
  filters: [
    choiceFilter('tier', 'Tier', TIER_LABELS),
    choiceFilter('state', 'State', { active: 'Active', unconfirmed: 'Email not confirmed', banned: 'Banned' }),
    { id: 'joined', label: 'Joined', kind: 'days' },
  ],
  bulkActions: [
    {
      label: 'Exclude votes',
      appliesTo: (row) => row.banned && !row.votesExcluded,
      run: (row) => call(adminUsersApi.excludeVotes, { id: row.id }),
      done: 'Votes excluded from open polls',
    },
    {
      label: 'Unban',
      appliesTo: (row) => row.banned,
      run: (row) => call(adminUsersApi.unban, { id: row.id }),
      done: 'Supporters unbanned',
    },
  ],
  empty: 'No supporters yet. They appear here once they sign up on the site.',
}

export function SupporterState({
  supporter: { banned, email, emailVerified },
}: {
  supporter: Pick<AdminSupporter, 'banned' | 'email' | 'emailVerified'>
}) {
  if (banned) return <span className="text-sunset">Banned</span>
  return email === '' || emailVerified ? 'Active' : 'Email not confirmed'
}

/** All supporters; each has a page. */
export function SupportersTab() {
  return (
    <AdminList
      list={supporterList}
      note="Email addresses are masked here and complete in the export. Open a supporter for points, orders, notes and actions."
      tools={
        <ScreenLink screen="exports" className={buttonClass()}>
          Export
        </ScreenLink>
      }
    />
  )
}
