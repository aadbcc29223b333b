import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Concert } from '../../worker/contract/concerts'
import { upcomingConcerts } from '../concerts/concerts.queries'
import { calendarDate } from '../lib/format'
import { buttonClass } from '../ui/Button'
import type { Column } from '../ui/DataTable'
import { ListPanel } from './ListPanel'
import { useLocalListing } from './listings'

const columns: readonly Column<Concert>[] = [
  { id: 'date', header: 'Date', cell: (row) => calendarDate(row.date), sortBy: (row) => row.date },
  { id: 'venue', header: 'Venue', cell: (row) => row.venue, sortBy: (row) => row.venue },
  { id: 'city', header: 'City', cell: (row) => row.city, sortBy: (row) => row.city },
]

/** The upcoming shows, each with a link to its door page. */
export function DoorTab() {
  const listing = useLocalListing(useQuery(upcomingConcerts), {
    label: 'Search shows',
    textOf: (row) => `${row.venue} ${row.city} ${row.date}`,
  })
  return (
    <ListPanel
      title="Door"
      note="Open check-in on the phone or tablet at the door."
      listing={listing}
      columns={columns}
      empty="No upcoming shows."
      actions={(row) => (
        <Link to="/admin/shows/$id/door" params={{ id: row.id }} className={buttonClass('text')}>
          Open the door<span className="sr-only">{` of ${row.venue}`}</span>
        </Link>
      )}
    />
  )
}
