import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { formatCount } from '../lib/format'
import { QueryBoundary } from '../ui/QueryBoundary'
import { topSupporters } from './points.queries'

type Row = { rank: number; username: string; points: number }

/** The top fifty supporters. The current supporter's row is shown below, unless the supporter is among the fifty. */
export function Leaderboard({ username }: { username: string | undefined }) {
  const query = useQuery(topSupporters)
  return (
    <section aria-labelledby="leaderboard">
      <h3 id="leaderboard" className="hub-heading">
        Top supporters
      </h3>
      <QueryBoundary
        query={query}
        loading={{ className: 'h-[24rem]', label: 'Loading the leaderboard' }}
        error="The leaderboard could not be loaded."
      >
        {({ entries, me }) => (
          <>
            {entries.length === 0 ? (
              <p className="py-5 text-muted">No points yet. First place is up for grabs.</p>
            ) : (
              // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboards scroll only a focusable box.
              <section aria-label="Top fifty" tabIndex={0} className="scroll-box">
                <ol>
                  {entries.map((entry) => (
                    <LeaderboardRow key={entry.username} row={entry} isMe={entry.username === username} />
                  ))}
                </ol>
              </section>
            )}
            {me && username !== undefined && !entries.some((entry) => entry.username === username) && (
              <ul aria-label="Your place" className="mt-2">
                <LeaderboardRow row={{ ...me, username }} isMe />
              </ul>
            )}
          </>
        )}
      </QueryBoundary>
    </section>
  )
}

function LeaderboardRow({ row: { rank, username, points }, isMe }: { row: Row; isMe: boolean }) {
  return (
    <li className={clsx('leaderboard-row', isMe && 'leaderboard-row-own')}>
      <span className="tabular-figures leaderboard-rank font-display">{formatCount(rank)}</span>
      <span className="min-w-0 truncate font-semibold">
        {username}
        {isMe && <span className="sr-only"> (you)</span>}
      </span>
      <span className="tabular-figures ml-auto shrink-0 text-sm text-gold">{formatCount(points)} pts</span>
    </li>
  )
}
