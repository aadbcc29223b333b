import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type DayMetrics, type Metrics, metricsApi } from '../../worker/contract/metrics'
import { call } from '../api/call'
import { centsToDollars, formatCompactNumber, formatCount, formatPrice, formatShortPrice } from '../lib/format'
import { QueryBoundary } from '../ui/QueryBoundary'
import { DayRangePicker } from './charts/DayRangePicker'
import { type DayRangeChoice, toRangeSearch, useDayRange } from './charts/day-range'
import { TrendPanel } from './charts/TrendPanel'
import type { Trend } from './charts/trends'
import { Panel } from './Panel'

const metricsOf = (choice: DayRangeChoice) => {
  const search = toRangeSearch(choice)
  return {
    queryKey: ['admin', 'metrics', search],
    queryFn: () => call(metricsApi.metrics, {}, { search }),
    staleTime: 0,
    placeholderData: keepPreviousData,
  }
}

/** New supporters, streams and revenue by day, for a chosen range. */
export function DailyMetrics() {
  const [choice, setChoice] = useDayRange()
  const query = useQuery(metricsOf(choice))
  return (
    <Panel
      title="By day"
      note="Days begin at midnight where the artist lives. Revenue counts orders on the day they were paid, less later refunds; Sales counts refunds on their own day."
    >
      <div className="mb-6">
        <DayRangePicker choice={choice} onChange={setChoice} today={query.data?.today} />
      </div>
      <QueryBoundary
        query={query}
        loading={{ label: 'Loading the figures by day', className: 'h-72' }}
        error="The figures for this period could not be loaded. Choose another or try again."
      >
        {(metrics) => (
          <TrendPanel
            title="Figures"
            days={{ today: metrics.today, days: daysOf(metrics.days), before: daysOf(metrics.before) }}
            trends={toTrends(metrics)}
          />
        )}
      </QueryBoundary>
    </Panel>
  )
}

const daysOf = (metrics: readonly DayMetrics[]) => metrics.map(({ day }) => day)

const toTrends = ({ days, before }: Metrics): Trend[] =>
  (
    [
      ['supporters', 'New supporters', formatCount, formatCompactNumber],
      ['streams', 'Streams', formatCount, formatCompactNumber],
      ['revenueCents', 'Revenue', formatPrice, formatShortPrice],
    ] as const
  ).map(([id, label, format, formatAxis]) => ({
    id,
    label,
    values: days.map((day) => day[id]),
    before: before.map((day) => day[id]),
    format,
    formatAxis,
    ...(id === 'revenueCents' && { csvValue: centsToDollars }),
  }))
