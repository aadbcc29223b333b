import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { LoadError } from '../ui/LoadError'
import { Skeleton } from '../ui/Skeleton'
import { leaderboard } from './points.queries'

type Row = { rank: number; username: string; points: number }

/** The first fifty as a chart that scrolls, and beneath it the reader's own place, which nobody has to look for. */
export function Leaderboard({ username }: { username: string }) {
  const { data, isError, isFetching, refetch } = useQuery(leaderboard)
  const isListed = data?.entries.some((entry) => entry.username === username)
  return (
    <section aria-labelledby="leaderboard">
      <h3 id="leaderboard" className="hub-heading">
        Top supporters
      </h3>
      {data ? (
        <>
          {data.entries.length === 0 ? (
            <p className="py-5 text-muted">Nobody has earned points yet. First place is free.</p>
          ) : (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reached by keyboard to be read.
            <section aria-label="The first fifty" tabIndex={0} className="chart-box">
              <ol>
                {data.entries.map((entry) => (
                  <LeaderboardRow key={entry.username} row={entry} own={entry.username === username} />
                ))}
              </ol>
            </section>
          )}
          {data.me && !isListed && (
            <ul aria-label="Your place">
              <LeaderboardRow row={{ ...data.me, username }} own />
            </ul>
          )}
        </>
      ) : isError ? (
        <LoadError onRetry={() => void refetch()} retrying={isFetching}>
          The leaderboard could not be fetched.
        </LoadError>
      ) : (
        <Skeleton className="h-[24rem]" label="Fetching the leaderboard" />
      )}
    </section>
  )
}

function LeaderboardRow({ row: { rank, username, points }, own }: { row: Row; own: boolean }) {
  return (
    <li className={clsx('chart-row', own && 'chart-row-own')}>
      <span className="figures chart-rank font-display">{rank.toLocaleString('en-US')}</span>
      <span className="min-w-0 truncate font-semibold">
        {username}
        {own && <span className="sr-only"> (you)</span>}
      </span>
      <span className="figures ml-auto shrink-0 text-sm text-gold">{points.toLocaleString('en-US')} pts</span>
    </li>
  )
}
