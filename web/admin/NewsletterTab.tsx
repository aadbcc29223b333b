import { type AdminSubscriber, adminListsApi } from '../../worker/contract/admin'
import { formatDate } from '../lib/format'
import { buttonClass } from '../ui/Button'
import type { Column } from '../ui/DataTable'
import { ListPanel } from './ListPanel'
import { usePagedListing } from './listings'
import { ScreenLink } from './ScreenLink'

const STATE_LABELS = { pending: 'Not confirmed', confirmed: 'Confirmed', unsubscribed: 'Unsubscribed' } as const
const columns: readonly Column<AdminSubscriber>[] = [
  { id: 'email', header: 'Address', cell: (row) => row.email },
  { id: 'state', header: 'State', cell: (row) => STATE_LABELS[row.state] },
  { id: 'city', header: 'City', cell: (row) => row.city || 'Not given' },
  {
    id: 'joined',
    header: 'Joined',
    cell: (row) => <span className="tabular-figures">{formatDate(row.joinedAt)}</span>,
  },
]

/** Addresses are masked here; only the audited export has them in full. */
export function NewsletterTab() {
  const listing = usePagedListing({
    key: ['admin', 'newsletter'],
    endpoint: adminListsApi.newsletter,
    label: 'Search by start of address',
  })
  return (
    <ListPanel
      title="Newsletter"
      note="We only email people who have confirmed their address."
      listing={listing}
      columns={columns}
      empty="No subscribers yet."
      tools={
        <ScreenLink screen="exports" className={buttonClass()}>
          Export
        </ScreenLink>
      }
    />
  )
}
