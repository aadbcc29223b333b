import { type AdminSubscriber, adminListsApi } from '../../worker/contract/admin'
import { AdminList } from '../admin/list/AdminList'
import { type AdminListDefinition, choiceFilter } from '../admin/list/list-definition'
import { ScreenLink } from '../admin/ScreenLink'
import { formatDate } from '../lib/format'
import { buttonClass } from '../ui/Button'

const STATE_LABELS = { pending: 'Not confirmed', confirmed: 'Confirmed', unsubscribed: 'Unsubscribed' } as const

const subscriberList: AdminListDefinition<'/api/admin/newsletter', AdminSubscriber> = {
  name: 'newsletter',
  title: 'Newsletter',
  endpoint: adminListsApi.newsletter,
  searchLabel: 'Search by full email',
  nameOf: (row) => row.email,
  columns: [
    { id: 'email', header: 'Address', cell: (row) => row.email },
    { id: 'state', header: 'State', cell: (row) => STATE_LABELS[row.state] },
    { id: 'city', header: 'City', cell: (row) => row.city || 'Not given' },
    {
      id: 'joined',
      header: 'Joined',
      cell: (row) => <span className="tabular-figures">{formatDate(row.joinedAt)}</span>,
      sort: 'joined',
    },
  ],
  filters: [
    choiceFilter('state', 'State', STATE_LABELS),
    choiceFilter('city', 'City', { given: 'Given', none: 'Not given' }),
    { id: 'joined', label: 'Joined', kind: 'days' },
  ],
  empty: 'No subscribers yet. Fans join with the newsletter form on the home page.',
}

/** Addresses are masked; only the audited export contains them. */
export const NewsletterTab = () => (
  <AdminList
    list={subscriberList}
    note="We only email people who have confirmed their address."
    tools={
      <ScreenLink screen="exports" className={buttonClass()}>
        Export
      </ScreenLink>
    }
  />
)
