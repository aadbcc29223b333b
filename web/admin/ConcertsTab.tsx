import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { allConcerts } from '../concerts/concerts.queries'
import { calendarDate } from '../lib/calendar-date'
import { type Column, DataTable } from '../ui/DataTable'
import { Panel } from './Panel'
import { useWholeList } from './useListing'

type Row = Awaited<ReturnType<NonNullable<typeof allConcerts.queryFn>>>[number]

const columns: readonly Column<Row>[] = [
  { id: 'date', header: 'Date', cell: (row) => calendarDate(row.date), sortBy: (row) => row.startsAt },
  { id: 'venue', header: 'Venue', cell: (row) => row.venue, sortBy: (row) => row.venue },
  { id: 'city', header: 'City', cell: (row) => row.city, sortBy: (row) => row.city },
  {
    id: 'tickets',
    header: 'Tickets',
    cell: (row) => (row.isSoldOut ? 'Sold Out' : (row.ticketsAvailable ?? 'Not counted')),
    sortBy: (row) => (row.isSoldOut ? 0 : (row.ticketsAvailable ?? Number.MAX_SAFE_INTEGER)),
    numeric: true,
  },
  {
    id: 'door',
    header: 'Door',
    cell: (row) => (
      <Link to="/admin/shows/$id/door" params={{ id: row.id }} className="underline underline-offset-4">
        Open the door
        <span className="sr-only">{` of ${row.venue}`}</span>
      </Link>
    ),
  },
]

/** Every show, the past ones too. */
export function ConcertsTab() {
  const listing = useWholeList(useQuery(allConcerts), {
    label: 'Search shows',
    textOf: (row) => `${row.venue} ${row.city} ${row.date}`,
  })
  return (
    <Panel title="Shows">
      <DataTable caption="Shows" listing={listing} columns={columns} rowKey={(row) => row.id} empty="No show yet." />
    </Panel>
  )
}
