import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Overview } from '../../worker/contract/admin'
import { adminOverviewApi } from '../../worker/contract/admin'
import { call } from '../api/call'
import { calendarDate, formatCount, formatPrice, formatTimeSeconds } from '../lib/format'
import { BarChart } from '../ui/BarChart'
import { LineChart } from '../ui/LineChart'
import { LoadError } from '../ui/LoadError'
import { Skeleton } from '../ui/Skeleton'
import { MetricCard, Panel } from './Panel'

const whole = (value: number) => formatCount(value)

/** How the house stands, computed from its rows and read again each minute. */
export function OverviewTab() {
  const { data, error, refetch, isFetching, dataUpdatedAt } = useQuery(overview)
  if (error && !data)
    return (
      <LoadError onRetry={() => void refetch()} retrying={isFetching}>
        The figures could not be fetched.
      </LoadError>
    )
  if (!data) return <Skeleton label="Adding up the figures" className="h-96" />
  const { changes } = data
  return (
    <div className="grid gap-12">
      <div>
        <dl className="grid gap-x-8 gap-y-8 sm:grid-cols-2 2xl:grid-cols-4">
          <MetricCard label="Supporters" value={whole(data.supporters)} change={changes.supporters} format={whole} />
          <MetricCard label="Streams" value={whole(data.streams)} change={changes.streams} format={whole} />
          <MetricCard
            label="Revenue"
            value={formatPrice(data.revenueCents)}
            change={changes.revenueCents}
            format={formatPrice}
          />
          <MetricCard
            label="Growth"
            value={data.growthPercent === null ? 'None yet' : `${data.growthPercent}%`}
            note="Supporters against 30 days ago"
          />
        </dl>
        <p className="figures mt-5 text-sm text-muted">
          As of <time dateTime={new Date(dataUpdatedAt).toISOString()}>{formatTimeSeconds(dataUpdatedAt)}</time>, read
          again each minute{error ? '. The last reading failed.' : '.'}
        </p>
      </div>
      <Panel title="The last 30 days">
        <div className="grid gap-10 xl:grid-cols-3">
          <LineChart title="Supporters" points={trendPoints(data.trend, 'supporters')} format={whole} />
          <LineChart title="Streams a day" points={trendPoints(data.trend, 'streams')} format={whole} />
          <LineChart title="Revenue a day" points={trendPoints(data.trend, 'revenueCents')} format={formatPrice} />
        </div>
      </Panel>
      <div className="grid gap-12 xl:grid-cols-2">
        <Panel title="Top tracks">
          <TopTracks tracks={data.topTracks} />
        </Panel>
        <div className="grid content-start gap-12">
          <Panel title="Tiers">
            <BarChart
              label="Supporters by tier"
              bars={[
                { label: 'Bronze', value: data.tiers.bronze, figure: `${data.tiers.bronze}%` },
                { label: 'Silver', value: data.tiers.silver, figure: `${data.tiers.silver}%` },
                { label: 'Gold', value: data.tiers.gold, figure: `${data.tiers.gold}%` },
              ]}
            />
          </Panel>
          <Panel title="Demand by city" note="Who asked for a show where, each person once.">
            {data.cities.length === 0 ? (
              <p className="text-muted">Nobody has asked for a city yet.</p>
            ) : (
              <BarChart
                label="Demand by city"
                bars={data.cities.map(({ city, people }) => ({ label: city, value: people, figure: whole(people) }))}
              />
            )}
          </Panel>
        </div>
      </div>
    </div>
  )
}

const trendPoints = (trend: Overview['trend'], of: 'supporters' | 'streams' | 'revenueCents') =>
  trend.map((day) => ({ label: calendarDate(day.day), value: day[of] }))

/** The desk's figures: fetched anew each minute while they are looked at, and on every visit. */
export const overview = queryOptions({
  queryKey: ['admin', 'overview'],
  queryFn: () => call(adminOverviewApi.overview, {}),
  staleTime: 0,
  refetchInterval: 60_000,
})

/** The most played tracks, with their covers. */
export function TopTracks({ tracks }: { tracks: Overview['topTracks'] }) {
  if (tracks.length === 0) return <p className="text-muted">No track has been played yet.</p>
  return (
    <ol className="grid">
      {tracks.map(({ id, title, artist, plays, likes, coverUrl }, place) => (
        <li key={id} className="flex items-center gap-4 border-b border-rule py-3">
          <span aria-hidden="true" className="figures w-6 font-label text-gold">
            {place + 1}
          </span>
          <img
            src={coverUrl.startsWith('/media/') ? `${coverUrl}?w=160` : coverUrl}
            alt=""
            width={48}
            height={48}
            loading="lazy"
          />
          <span className="min-w-0 flex-1">
            <span className="block font-semibold">{title}</span>
            <span className="block text-sm text-muted">{artist}</span>
          </span>
          <span className="figures text-right text-sm">
            <span className="block">{formatCount(plays)} plays</span>
            <span className="block text-muted">{formatCount(likes)} likes</span>
          </span>
        </li>
      ))}
    </ol>
  )
}
