import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { adminListsApi, type CityRequestCount } from '../../worker/contract/admin'
import { type AdminConcert, adminContentApi, ConcertDraft } from '../../worker/contract/admin-content'
import { call } from '../api/call'
import { calendarDate, formatCount } from '../lib/format'
import { BarChart } from '../ui/BarChart'
import { type Column, DataTable } from '../ui/DataTable'
import { adminQuery } from './admin.queries'
import { type CrudDefinition, CrudPanel } from './CrudPanel'
import { useLocalListing, usePagedListing } from './listings'
import { Panel } from './Panel'
import type { FieldDefinition } from './RecordForm'

const PAGE_LINK: FieldDefinition<ConcertDraft> = {
  name: 'slug',
  label: 'Page link',
  kind: 'slug',
  optional: true,
  hint: 'Leave empty to create it from venue, city and date. It can’t change later.',
}

const shows: CrudDefinition<AdminConcert, ConcertDraft> = {
  title: 'Shows',
  noun: 'show',
  keys: ['concerts'],
  useListing: () =>
    useLocalListing(useQuery(adminQuery('concerts', adminContentApi.concerts)), {
      label: 'Search shows',
      textOf: (row) => `${row.venue} ${row.city} ${row.date}`,
    }),
  columns: [
    { id: 'date', header: 'Date', cell: (row) => calendarDate(row.date), sortBy: (row) => row.date },
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
  ],
  nameOf: (row) => `${row.venue}, ${calendarDate(row.date)}`,
  shortNameOf: (row) => row.venue,
  form: {
    schema: ConcertDraft,
    fields: (row) => [
      { name: 'date', label: 'Date', kind: 'date' },
      { name: 'timeZone', label: 'Venue’s time zone' },
      { name: 'startTime', label: 'Start', kind: 'time' },
      { name: 'endTime', label: 'End', kind: 'time', hint: 'If earlier than the start, the show ends after midnight.' },
      { name: 'venue', label: 'Venue' },
      { name: 'city', label: 'City' },
      { name: 'address', label: 'Address', wide: true, hint: 'As fans will see it: street, city, state and ZIP code.' },
      { name: 'region', label: 'State or province', optional: true, hint: 'Such as FL. For search engines.' },
      { name: 'postalCode', label: 'Postal code', optional: true },
      { name: 'country', label: 'Country', optional: true, hint: 'Two letters, such as US.' },
      ...(row ? [] : [PAGE_LINK]),
      { name: 'priceCents', label: 'Price at the door', kind: 'dollars', hint: '0 is free.' },
      { name: 'ticketsAvailable', label: 'Tickets left', kind: 'number', optional: true },
      { name: 'isSoldOut', label: 'Sold Out', kind: 'checkbox' },
      { name: 'hasVip', label: 'VIP Available', kind: 'checkbox' },
      { name: 'imageUrl', label: 'Picture', kind: 'image', crop: 'show' },
      { name: 'imageAlt', label: 'What the picture shows', wide: true },
    ],
    toDraft: ({ id: _, ...draft }) => draft,
    blank: {
      imageUrl: '',
      timeZone: 'America/New_York',
      region: '',
      postalCode: '',
      country: '',
      startTime: '20:00',
      endTime: '23:00',
      priceCents: 0,
      ticketsAvailable: null,
      isSoldOut: false,
      hasVip: false,
    },
  },
  add: adminContentApi.addConcert,
  update: adminContentApi.updateConcert,
  remove: adminContentApi.removeConcert,
  restore: adminContentApi.restoreConcert,
}

/** All shows, past ones included, and the cities where visitors asked for one. */
export const ConcertsTab = () => (
  <div className="grid gap-12">
    <CrudPanel definition={shows} />
    <CityRequestsPanel />
  </div>
)

const MAX_BARS = 10
const cityColumns: readonly Column<CityRequestCount>[] = [
  { id: 'city', header: 'City', cell: (row) => row.city },
  { id: 'people', header: 'People', cell: (row) => formatCount(row.people), numeric: true },
]

function CityRequestsPanel() {
  const { data: cities = [] } = useQuery({
    queryKey: ['admin', 'city-demand', 'most'],
    queryFn: () => call(adminListsApi.cityDemand, {}),
    staleTime: 0,
  })
  const listing = usePagedListing({
    key: ['admin', 'city-demand'],
    endpoint: adminListsApi.cityDemand,
    label: 'Search cities',
  })
  return (
    <Panel title="Demand by city" note="Show requests by city, one per person and city.">
      <div className="grid gap-10 xl:grid-cols-2">
        {cities.length > 0 && (
          <BarChart
            label="Most requested cities"
            bars={cities
              .slice(0, MAX_BARS)
              .map(({ city, people }) => ({ label: city, value: people, valueText: formatCount(people) }))}
          />
        )}
        <DataTable
          caption="Demand by city"
          listing={listing}
          columns={cityColumns}
          rowKey={(row) => row.city}
          empty="No city requests yet."
        />
      </div>
    </Panel>
  )
}
