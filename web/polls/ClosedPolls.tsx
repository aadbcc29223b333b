import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { PollView } from '../../worker/contract/polls'
import { formatCount, formatCountOf } from '../lib/format'
import { useLocalDay } from '../lib/local-day'
import { Button } from '../ui/Button'
import { QueryBoundary } from '../ui/QueryBoundary'
import { totalVotes, votePercent } from './PollCard'
import { closedPolls } from './polls.queries'

const INITIAL_COUNT = 2

/** Results of the latest closed polls; renders nothing if there are none. */
export function ClosedPolls() {
  const query = useQuery(closedPolls)
  const [isExpanded, setIsExpanded] = useState(false)
  if (query.data?.length === 0) return null
  return (
    <section aria-labelledby="closed-polls" className="voting">
      <h3 id="closed-polls" className="voting-title font-display">
        Closed polls
      </h3>
      <div className="min-w-0">
        <QueryBoundary
          query={query}
          loading={{ className: 'h-72', label: 'Loading the closed polls' }}
          error="The closed polls could not be loaded."
        >
          {(polls) => (
            <>
              <div className="results">
                {(isExpanded ? polls : polls.slice(0, INITIAL_COUNT)).map((poll) => (
                  <PollResult key={poll.id} poll={poll} />
                ))}
              </div>
              {polls.length > INITIAL_COUNT && !isExpanded && (
                <Button className="mt-6" onClick={() => setIsExpanded(true)}>
                  Show all {polls.length} results
                </Button>
              )}
            </>
          )}
        </QueryBoundary>
      </div>
    </section>
  )
}

function PollResult({ poll }: { poll: PollView }) {
  const endDay = useLocalDay(poll.endDate)
  const total = totalVotes(poll)
  const maxVotes = Math.max(...poll.options.map(({ voteCount }) => voteCount ?? 0))
  return (
    <article aria-labelledby={`result-${poll.id}`} className="result">
      <p className="tabular-figures font-label text-muted">
        Closed <time dateTime={poll.endDate}>{endDay}</time>
      </p>
      <h4 id={`result-${poll.id}`} className="mt-2 text-xl leading-tight font-extrabold text-balance wrap-anywhere">
        {poll.title}
      </h4>
      <ul className="mt-5 grid gap-4">
        {poll.options.map(({ id, title, voteCount }) => (
          <li key={id} data-won={(voteCount === maxVotes && maxVotes > 0) || undefined} className="result-option">
            <p className="flex justify-between gap-4">
              <span className="min-w-0 wrap-anywhere">
                {title}
                {poll.userVote?.optionId === id && <span className="text-sm text-bay"> (your vote)</span>}
              </span>
              <span className="tabular-figures shrink-0">
                {formatCount(voteCount ?? 0)} ({votePercent(voteCount ?? 0, total).toFixed(1)}%)
              </span>
            </p>
            <progress
              className="progress-bar mt-2 w-full forced-colors:appearance-auto"
              aria-label={title}
              value={votePercent(voteCount ?? 0, total)}
              max={100}
            />
          </li>
        ))}
      </ul>
      <p className="tabular-figures mt-5 text-sm text-muted">{formatCountOf(total, 'vote')}</p>
    </article>
  )
}
