import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type DayMetrics, metricsApi } from '../../worker/contract/metrics'
import { call } from '../api/call'
import { QueryBoundary } from '../ui/QueryBoundary'
import { DayRangePicker } from './charts/DayRangePicker'
import { type DayRangeChoice, toRangeSearch, useDayRange } from './charts/day-range'
import { TrendPanel } from './charts/TrendPanel'
import { COUNT_TREND, MONEY_TREND, trendOf } from './charts/trends'
import { Panel } from './Panel'

const metricsQuery = (choice: DayRangeChoice) => {
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
  const query = useQuery(metricsQuery(choice))
  return (
    <Panel
      title="By day"
      note="Days begin at midnight where the artist lives. Revenue counts orders on the day they were paid, minus later refunds; the Sales screen counts a refund on the day it was made."
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
            range={{ today: metrics.today, days: daysOf(metrics.days), before: daysOf(metrics.before) }}
            trends={[
              trendOf(metrics, 'supporters', 'New supporters', COUNT_TREND),
              trendOf(metrics, 'streams', 'Streams', COUNT_TREND),
              trendOf(metrics, 'revenueCents', 'Revenue', MONEY_TREND),
            ]}
          />
        )}
      </QueryBoundary>
    </Panel>
  )
}

const daysOf = (metrics: readonly DayMetrics[]) => metrics.map(({ day }) => day)
