import { useQuery } from '@tanstack/react-query'
import { leaderboard } from '../points/points.queries'
import { LoadError } from '../ui/LoadError'
import { Skeleton } from '../ui/Skeleton'

const SHOWN_COUNT = 5
const points = new Intl.NumberFormat('en-US')

/** The first five of the leaderboard, set as a chart. */
export function TopSupporters() {
  const { data, isError, isFetching, refetch } = useQuery(leaderboard)
  if (isError && !data)
    return (
      <LoadError onRetry={() => void refetch()} retrying={isFetching}>
        The leaderboard could not be fetched.
      </LoadError>
    )
  return (
    <section aria-labelledby="top-supporters">
      <h3 id="top-supporters" className="border-b-4 border-gold pb-3 font-label text-gold">
        Top supporters
      </h3>
      {!data ? (
        <Skeleton className="mt-1 h-[20.5rem]" label="Fetching the leaderboard" />
      ) : data.entries.length === 0 ? (
        <p className="py-4 text-muted">Nobody has earned points yet. First place is free.</p>
      ) : (
        <ol>
          {data.entries.slice(0, SHOWN_COUNT).map((entry) => (
            <li key={entry.username} className="flex min-h-16 items-center gap-5 border-b border-rule">
              <span className="figures w-10 font-display text-2xl text-muted">{entry.rank}</span>
              <span className="min-w-0 truncate text-lg font-semibold">{entry.username}</span>
              <span className="figures ml-auto shrink-0 text-gold">{points.format(entry.points)} pts</span>
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}
