import { useQuery } from '@tanstack/react-query'
import { adminListsApi, type CityRequestCount as City } from '../../worker/contract/admin-lists'
import { BarChart } from '../ui/BarChart'
import { type Column, DataTable } from '../ui/DataTable'
import { topCityRequests } from './admin-lists.queries'
import { Panel } from './Panel'
import { usePagedListing } from './useTableListing'

const count = new Intl.NumberFormat('en-US')
const columns: readonly Column<City>[] = [
  { id: 'city', header: 'City', cell: (row) => row.city },
  { id: 'people', header: 'People', cell: (row) => count.format(row.people), numeric: true },
]
const MAX_BARS = 10

/** Where people want a show: the ten most wanted as bars, and every city in a list. */
export function CityRequestsPanel() {
  const { data = [] } = useQuery(topCityRequests)
  const listing = usePagedListing({
    key: ['admin', 'city-demand'],
    endpoint: adminListsApi.cityDemand,
    label: 'Search cities',
  })
  return (
    <Panel title="Demand by city" note="Who asked for a show where, each person once a city.">
      <div className="grid gap-10 xl:grid-cols-2">
        {data.length > 0 && (
          <BarChart
            label="The most wanted cities"
            bars={data
              .slice(0, MAX_BARS)
              .map(({ city, people }) => ({ label: city, value: people, figure: count.format(people) }))}
          />
        )}
        <DataTable
          caption="Demand by city"
          listing={listing}
          columns={columns}
          rowKey={(row) => row.city}
          empty="Nobody has asked for a city yet."
        />
      </div>
    </Panel>
  )
}
