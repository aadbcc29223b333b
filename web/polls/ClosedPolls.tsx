import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { PollView } from '../../worker/contract/polls'
import { localDay } from '../lib/local-day'
import { Button } from '../ui/Button'
import { LoadError } from '../ui/LoadError'
import { Skeleton } from '../ui/Skeleton'
import { closedPolls } from './poll-mutations.queries'
import { totalVotes, votePercent } from './vote-share'

const INITIAL_COUNT = 2

/** How the last polls ended. Nothing stands here while none has. */
export function ClosedPolls() {
  const { data, isError, isFetching, refetch } = useQuery(closedPolls)
  const [all, showAll] = useState(false)
  if (data?.length === 0) return null
  return (
    <section aria-labelledby="closed-polls" className="voting">
      <h3 id="closed-polls" className="voting-title font-display">
        Closed polls
      </h3>
      <div className="min-w-0">
        {data ? (
          <>
            <div className="results">
              {(all ? data : data.slice(0, INITIAL_COUNT)).map((poll) => (
                <PollResult key={poll.id} poll={poll} />
              ))}
            </div>
            {data.length > INITIAL_COUNT && !all && (
              <Button className="mt-6" onClick={() => showAll(true)}>
                Show all {data.length} results
              </Button>
            )}
          </>
        ) : isError ? (
          <LoadError onRetry={() => void refetch()} retrying={isFetching}>
            The closed polls could not be fetched.
          </LoadError>
        ) : (
          <Skeleton className="h-72" label="Fetching the closed polls" />
        )}
      </div>
    </section>
  )
}

function PollResult({ poll }: { poll: PollView }) {
  const total = totalVotes(poll)
  const most = Math.max(...poll.options.map(({ voteCount }) => voteCount ?? 0))
  return (
    <article aria-labelledby={`result-${poll.id}`} className="result">
      <p className="figures font-label text-muted">
        Closed <time dateTime={poll.endDate}>{localDay(poll.endDate)}</time>
      </p>
      <h4 id={`result-${poll.id}`} className="mt-2 text-xl leading-tight font-extrabold text-balance wrap-anywhere">
        {poll.title}
      </h4>
      <ul className="mt-5 grid gap-4">
        {poll.options.map(({ id, title, voteCount }) => (
          <li key={id} data-won={(voteCount === most && most > 0) || undefined} className="result-option">
            <p className="flex justify-between gap-4">
              <span className="min-w-0 wrap-anywhere">
                {title}
                {poll.userVote?.optionId === id && <span className="text-sm text-bay"> (your vote)</span>}
              </span>
              <span className="figures shrink-0">
                {(voteCount ?? 0).toLocaleString('en-US')} ({votePercent(voteCount ?? 0, total).toFixed(1)}%)
              </span>
            </p>
            <progress className="result-bar" aria-label={title} value={votePercent(voteCount ?? 0, total)} max={100} />
          </li>
        ))}
      </ul>
      <p className="figures mt-5 text-sm text-muted">
        {total.toLocaleString('en-US')} {total === 1 ? 'vote' : 'votes'}
      </p>
    </article>
  )
}
