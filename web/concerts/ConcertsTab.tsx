import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { adminListsApi, type CityRequestCount } from '../../worker/contract/admin'
import { type AdminConcert, adminConcertsApi, ConcertDraft } from '../../worker/contract/admin-content'
import { ShowPreview } from '../admin/lazy-previews'
import { AdminList } from '../admin/list/AdminList'
import { EditableList, type EditableListDefinition } from '../admin/list/EditableList'
import { type AdminListDefinition, choiceFilter } from '../admin/list/list-definition'
import { ALT_HINT, type FieldDefinition } from '../admin/RecordField'
import { call, callPage } from '../api/call'
import { formatCalendarDate, formatCount, formatPrice } from '../lib/format'
import { BarChart } from '../ui/BarChart'
import { parseVenueLine } from './venue-line'

const SLUG_FIELD: FieldDefinition<ConcertDraft> = {
  name: 'slug',
  label: 'Page link',
  kind: 'slug',
  optional: true,
  hint: 'Leave empty to create it from venue, city and date. It can’t change later.',
}

const showList: EditableListDefinition<'/api/admin/concerts', AdminConcert, ConcertDraft> = {
  list: {
    name: 'concerts',
    title: 'Shows',
    endpoint: adminConcertsApi.list,
    searchLabel: 'Search shows by venue or city',
    nameOf: (row) => `${row.venue}, ${formatCalendarDate(row.date)}`,
    columns: [
      { id: 'date', header: 'Date', cell: (row) => formatCalendarDate(row.date), sort: 'date' },
      { id: 'venue', header: 'Venue', cell: (row) => row.venue, sort: 'venue' },
      { id: 'city', header: 'City', cell: (row) => row.city, sort: 'city' },
      {
        id: 'tickets',
        header: 'Tickets',
        cell: (row) => (row.isSoldOut ? 'Sold Out' : (row.ticketsAvailable ?? 'Not counted')),
        sort: 'tickets',
        isNumeric: true,
      },
      {
        id: 'price',
        header: 'Price at the door',
        cell: (row) => (row.priceCents === 0 ? 'Free' : formatPrice(row.priceCents)),
        isNumeric: true,
        isOptional: true,
      },
      { id: 'time', header: 'Time', cell: (row) => `${row.startTime} to ${row.endTime}`, isOptional: true },
      { id: 'door', header: 'Door', cell: (row) => <DoorLink show={row} /> },
    ],
    filters: [
      choiceFilter('time', 'Time', { upcoming: 'Upcoming', past: 'Past' }),
      choiceFilter('tickets', 'Tickets', { available: 'Available', sold_out: 'Sold out' }),
      { id: 'date', label: 'Date', kind: 'days' },
    ],
    empty: 'No shows yet. Add the first one: everyone with a show alert for its city gets an email about it.',
  },
  noun: 'show',
  keys: ['concerts'],
  shortNameOf: (row) => row.venue,
  form: {
    schema: ConcertDraft,
    fields: (row) => [
      { name: 'date', label: 'Date', kind: 'date' },
      { name: 'timeZone', label: 'Venue’s time zone' },
      { name: 'startTime', label: 'Start', kind: 'time' },
      { name: 'endTime', label: 'End', kind: 'time', hint: 'If earlier than the start, the show ends after midnight.' },
      {
        name: 'venue',
        label: 'Venue',
        parse: parseVenueLine,
        hint: row ? undefined : 'Paste its name and address as a map shows them, and we fill in the rest.',
      },
      { name: 'city', label: 'City' },
      { name: 'address', label: 'Address', wide: true, hint: 'As fans will see it: street, city, state and ZIP code.' },
      { name: 'region', label: 'State or province', optional: true, hint: 'Such as FL. For search engines.' },
      { name: 'postalCode', label: 'Postal code', optional: true },
      { name: 'country', label: 'Country', optional: true, hint: 'The two-letter code, such as US.' },
      ...(row ? [] : [SLUG_FIELD]),
      { name: 'priceCents', label: 'Price at the door', kind: 'money', hint: '0 is free.' },
      { name: 'ticketsAvailable', label: 'Tickets left', kind: 'number', optional: true },
      { name: 'isSoldOut', label: 'Sold Out', kind: 'checkbox' },
      { name: 'hasVip', label: 'VIP Available', kind: 'checkbox' },
      { name: 'imageUrl', label: 'Picture', kind: 'image', crop: 'show' },
      { name: 'imageAlt', label: 'Picture description', wide: true, hint: ALT_HINT },
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
    readDefaults: readShowDefaults,
    preview: ShowPreview,
  },
  endpoints: adminConcertsApi,
}

/** The values of the latest show that a new show is likely to share. */
async function readShowDefaults(): Promise<Partial<ConcertDraft>> {
  const [latest] = (await callPage(adminConcertsApi.list, {}, '?sort=-date')).rows
  if (!latest) return {}
  const { timeZone, startTime, endTime, priceCents, hasVip, imageUrl, imageAlt } = latest
  return { timeZone, startTime, endTime, priceCents, hasVip, imageUrl, imageAlt }
}

function DoorLink({ show }: { show: AdminConcert }) {
  return (
    <Link to="/admin/shows/$id/door" params={{ id: show.id }} className="underline underline-offset-4">
      Open the door
      <span className="sr-only">{` of ${show.venue}`}</span>
    </Link>
  )
}

/** All shows, past ones included, and the cities where visitors asked for one. */
export const ConcertsTab = () => (
  <div className="grid gap-12">
    <EditableList definition={showList} />
    <CityRequestsPanel />
  </div>
)

const MAX_BARS = 10
const cityList: AdminListDefinition<'/api/admin/city-demand', CityRequestCount> = {
  name: 'city-demand',
  title: 'Demand by city',
  endpoint: adminListsApi.cityDemand,
  urlPrefix: 'cities.',
  searchLabel: 'Search cities',
  nameOf: (row) => row.city,
  keyOf: (row) => row.city,
  columns: [
    { id: 'city', header: 'City', cell: (row) => row.city, sort: 'city' },
    { id: 'people', header: 'People', cell: (row) => formatCount(row.people), sort: 'people', isNumeric: true },
  ],
  empty: 'No city requests yet. Visitors ask for a show in their city on the shows page.',
}

function CityRequestsPanel() {
  const { data = [] } = useQuery({
    queryKey: ['admin', 'city-demand', 'most'],
    queryFn: () => call(adminListsApi.cityDemand, {}),
    staleTime: 0,
  })
  return (
    <AdminList list={cityList} note="Show requests by city, one per person and city.">
      {data.length > 0 && (
        <div className="mb-8 max-w-3xl">
          <BarChart
            label="Most requested cities"
            bars={data
              .slice(0, MAX_BARS)
              .map(({ city, people }) => ({ label: city, value: people, valueText: formatCount(people) }))}
          />
        </div>
      )}
    </AdminList>
  )
}
