import { useInfiniteQuery } from '@tanstack/react-query'
import type { PointsEntry } from '../../worker/contract/points'
import { formatLocalDay } from '../lib/local-day'
import { Button } from '../ui/Button'
import { LoadError } from '../ui/LoadError'
import { Skeleton } from '../ui/Skeleton'
import { pointsHistory } from './points.queries'

/** The ledger as liner notes: what every point was for, by day, newest first, in a box of 24rem that scrolls. */
export function PointsHistory() {
  const query = useInfiniteQuery(pointsHistory)
  const { data, isError, isFetching, isFetchingNextPage, hasNextPage } = query
  const entries = data?.pages.flatMap(({ rows }) => rows)
  return (
    <section aria-labelledby="points-history">
      <h3 id="points-history" className="hub-heading">
        Points history
      </h3>
      {entries?.length ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reached by keyboard to be read.
        <section aria-label="All entries" tabIndex={0} className="liner-notes">
          {groupByDay(entries).map(([day, rows]) => (
            <section key={day} aria-label={day}>
              <h4 className="liner-day font-label">{day}</h4>
              <ul>
                {rows.map(({ id, description, points }) => (
                  <li key={id} className="liner-line">
                    <span className="min-w-0">{description}</span>
                    <span className="figures shrink-0 font-semibold" data-back={points < 0 || undefined}>
                      {formatSigned(points)}
                    </span>
                  </li>
                ))}
              </ul>
            </section>
          ))}
          {hasNextPage ? (
            isError && !isFetching ? (
              <LoadError onRetry={() => void query.fetchNextPage()}>The older entries could not be fetched.</LoadError>
            ) : (
              <Button
                className="my-4 w-full"
                aria-disabled={isFetchingNextPage}
                onClick={() => !isFetching && void query.fetchNextPage()}
              >
                {isFetchingNextPage ? 'Fetching older entries' : 'Show older entries'}
              </Button>
            )
          ) : (
            <p className="py-4 text-sm text-muted">That is where it began.</p>
          )}
        </section>
      ) : entries ? (
        <p className="py-5 text-muted">
          No points yet. A vote is worth ten, a first listen five, and each one is written down here.
        </p>
      ) : isError ? (
        <LoadError onRetry={() => void query.refetch()} retrying={isFetching}>
          The points history could not be fetched.
        </LoadError>
      ) : (
        <Skeleton className="h-[24rem]" label="Fetching the points history" />
      )}
    </section>
  )
}

const formatSigned = (points: number) => `${points < 0 ? '−' : '+'}${Math.abs(points).toLocaleString('en-US')}`

/** Entries under the viewer's day of each, in the order that they came in. */
function groupByDay(entries: readonly PointsEntry[]): [day: string, rows: PointsEntry[]][] {
  const days = new Map<string, PointsEntry[]>()
  for (const entry of entries) {
    const day = formatLocalDay(entry.createdAt)
    days.set(day, [...(days.get(day) ?? []), entry])
  }
  return [...days]
}
