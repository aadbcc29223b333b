import { Link } from '@tanstack/react-router'
import { type Concert, concertsApi } from '../../worker/contract/concerts'
import { AdminList } from '../admin/list/AdminList'
import type { AdminListDefinition } from '../admin/list/list-definition'
import { formatCalendarDate } from '../lib/format'
import { buttonClass } from '../ui/Button'

const upcomingShowList: AdminListDefinition<'/api/concerts/upcoming', Concert> = {
  name: 'concerts.door',
  title: 'Door',
  endpoint: concertsApi.upcoming,
  nameOf: (row) => `${row.venue}, ${formatCalendarDate(row.date)}`,
  linkOf: ({ id }) => ({ to: '/admin/shows/$id/door', params: { id } }),
  columns: [
    { id: 'venue', header: 'Venue', cell: (row) => row.venue },
    { id: 'date', header: 'Date', cell: (row) => formatCalendarDate(row.date) },
    { id: 'city', header: 'City', cell: (row) => row.city },
  ],
  empty: 'No upcoming shows. An editor can add one under Concerts.',
}

/** The upcoming shows, each with a link to its door page. */
export const DoorTab = () => (
  <AdminList
    list={upcomingShowList}
    note="Open check-in on the phone or tablet at the door."
    actions={(row) => (
      <Link to="/admin/shows/$id/door" params={{ id: row.id }} className={buttonClass('text')}>
        Open the door<span className="sr-only">{` of ${row.venue}`}</span>
      </Link>
    )}
  />
)
