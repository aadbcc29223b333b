import { type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query'
import { POINTS, type PointsEntry } from '../../worker/contract/points'
import { formatSigned } from '../lib/format'
import { formatLocalDay } from '../lib/local-day'
import { Button } from '../ui/Button'
import { LoadError } from '../ui/LoadError'
import { QueryBoundary } from '../ui/QueryBoundary'
import { pointsHistory } from './account-points.queries'

/** The supporter's points ledger by day, newest first, in a box that scrolls. */
export function PointsHistory() {
  const query = useInfiniteQuery(pointsHistory)
  return (
    <section aria-labelledby="points-history">
      <h3 id="points-history" className="hub-heading">
        Points history
      </h3>
      <QueryBoundary
        query={query}
        loading={{ className: 'h-[24rem]', label: 'Loading the points history' }}
        error="The points history could not be loaded."
      >
        {({ pages }) => {
          const entries = pages.flatMap(({ rows }) => rows)
          if (entries.length === 0)
            return (
              <p className="py-5 text-muted">
                No points yet. A vote earns {POINTS.poll_vote} and listening to a track {POINTS.track_stream}; you’ll
                see each one here.
              </p>
            )
          return (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboards scroll only a focusable box.
            <section aria-label="All entries" tabIndex={0} className="scroll-box">
              {groupByDay(entries).map(([day, rows]) => (
                <div key={day}>
                  <h4 className="points-history-day font-label">{day}</h4>
                  <ul>
                    {rows.map(({ id, description, points }) => (
                      <li key={id} className="points-history-entry">
                        <span className="min-w-0">{description}</span>
                        <span
                          className="tabular-figures shrink-0 font-semibold"
                          data-negative={points < 0 || undefined}
                        >
                          {formatSigned(points)}
                        </span>
                      </li>
                    ))}
                  </ul>
                </div>
              ))}
              <OlderEntries query={query} />
            </section>
          )
        }}
      </QueryBoundary>
    </section>
  )
}

type OlderEntriesProps = {
  query: Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isError' | 'isFetching' | 'isFetchingNextPage' | 'fetchNextPage'>
}

function OlderEntries({ query }: OlderEntriesProps) {
  const { hasNextPage, isError, isFetching, isFetchingNextPage, fetchNextPage } = query
  if (!hasNextPage) return <p className="py-4 text-sm text-muted">That’s everything.</p>
  if (isError && !isFetching)
    return <LoadError onRetry={() => void fetchNextPage()}>The older entries could not be loaded.</LoadError>
  return (
    <Button
      className="my-4 w-full"
      aria-disabled={isFetchingNextPage}
      onClick={() => !isFetching && void fetchNextPage()}
    >
      {isFetchingNextPage ? 'Loading older entries' : 'Show older entries'}
    </Button>
  )
}

/** Groups entries by day in the viewer's time zone and keeps their order. */
function groupByDay(entries: readonly PointsEntry[]): [day: string, rows: PointsEntry[]][] {
  const days = new Map<string, PointsEntry[]>()
  for (const entry of entries) {
    const day = formatLocalDay(entry.createdAt)
    days.set(day, [...(days.get(day) ?? []), entry])
  }
  return [...days]
}
