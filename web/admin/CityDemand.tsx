import { useQuery } from '@tanstack/react-query'
import { type CityDemand as City, deskListsApi } from '../../worker/contract/desk-lists'
import { Bars } from '../ui/Bars'
import { type Column, DataTable } from '../ui/DataTable'
import { mostWanted } from './desk-lists'
import { Panel } from './Panel'
import { usePages } from './useListing'

const count = new Intl.NumberFormat('en-US')
const columns: readonly Column<City>[] = [
  { id: 'city', header: 'City', cell: (row) => row.city },
  { id: 'people', header: 'People', cell: (row) => count.format(row.people), numeric: true },
]
const SHOWN = 10

/** Where people want a show: the ten most wanted as bars, and every city in a list. */
export function CityDemand() {
  const { data = [] } = useQuery(mostWanted)
  const listing = usePages({
    key: ['admin', 'city-demand'],
    endpoint: deskListsApi.cityDemand,
    label: 'Search cities',
  })
  return (
    <Panel title="Demand by city" note="Who asked for a show where, each person once a city.">
      <div className="grid gap-10 xl:grid-cols-2">
        {data.length > 0 && (
          <Bars
            label="The most wanted cities"
            bars={data
              .slice(0, SHOWN)
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
