import { useQuery } from '@tanstack/react-query'
import { price } from '../lib/money'
import { Bars } from '../ui/Bars'
import { LoadError } from '../ui/LoadError'
import { Skeleton } from '../ui/Skeleton'
import { overview } from './overview.queries'
import { Panel } from './Panel'
import { TopTracks } from './TopTracks'

const count = new Intl.NumberFormat('en-US')

/** How the house stands, computed from its rows. */
export function OverviewTab() {
  const { data, error, refetch, isFetching } = useQuery(overview)
  if (error && !data)
    return (
      <LoadError onRetry={() => void refetch()} retrying={isFetching}>
        The figures could not be fetched.
      </LoadError>
    )
  if (!data) return <Skeleton label="Adding up the figures" className="h-96" />
  const figures = [
    ['Supporters', count.format(data.supporters)],
    ['Streams', count.format(data.streams)],
    ['Revenue', price(data.revenueCents)],
    ['Growth', data.growthPercent === null ? 'None yet' : `${data.growthPercent}%`],
  ]
  return (
    <div className="grid gap-12">
      <dl className="grid gap-x-8 gap-y-6 sm:grid-cols-2 xl:grid-cols-4">
        {figures.map(([term, figure]) => (
          <div key={term} className="border-t-2 border-gold pt-3">
            <dt className="font-label text-muted">{term}</dt>
            <dd className="figures mt-1 font-display text-2xl">{figure}</dd>
          </div>
        ))}
      </dl>
      <div className="grid gap-12 xl:grid-cols-2">
        <Panel title="Tiers">
          <Bars
            label="Supporters by tier"
            bars={[
              { label: 'Bronze', value: data.tiers.bronze, figure: `${data.tiers.bronze}%` },
              { label: 'Silver', value: data.tiers.silver, figure: `${data.tiers.silver}%` },
              { label: 'Gold', value: data.tiers.gold, figure: `${data.tiers.gold}%` },
            ]}
          />
        </Panel>
        <Panel title="Top tracks">
          <TopTracks tracks={data.topTracks} />
        </Panel>
      </div>
    </div>
  )
}
