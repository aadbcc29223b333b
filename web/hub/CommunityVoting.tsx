import { type ReactNode, useState } from 'react'
import type { PollView } from '../../worker/contract/polls'
import { useActivePolls } from '../polls/polls.queries'
import { Button } from '../ui/Button'
import { LoadError } from '../ui/LoadError'
import { Skeleton } from '../ui/Skeleton'

const INITIAL_COUNT = 6

type Props = {
  /** How a poll is shown: whether it can be voted in depends on who reads. */
  card: (poll: PollView) => ReactNode
  /** Stands beneath the title. */
  children?: ReactNode
}

/** The polls that are open, those first that end first. */
export function CommunityVoting({ card, children }: Props) {
  const { data: polls, isError, isFetching, refetch } = useActivePolls()
  const [all, showAll] = useState(false)
  return (
    <section id="community-voting" tabIndex={-1} aria-labelledby="community-voting-title" className="voting">
      <div className="min-w-0">
        <h3 id="community-voting-title" className="voting-title mb-6 font-display">
          Community Voting
        </h3>
        {children}
      </div>
      <div className="min-w-0">
        {polls ? (
          polls.length > 0 ? (
            <>
              <div className="ballots">{(all ? polls : polls.slice(0, INITIAL_COUNT)).map(card)}</div>
              {polls.length > INITIAL_COUNT && !all && (
                <Button className="mt-6" onClick={() => showAll(true)}>
                  Show all {polls.length} polls
                </Button>
              )}
            </>
          ) : (
            <p className="border-t border-rule pt-5 text-muted">No poll is open right now. The next one opens here.</p>
          )
        ) : isError ? (
          <LoadError onRetry={() => void refetch()} retrying={isFetching}>
            The polls could not be fetched.
          </LoadError>
        ) : (
          <div className="ballots">
            <Skeleton className="h-[26rem]" label="Fetching the polls" />
            <Skeleton className="h-[26rem]" />
          </div>
        )}
      </div>
    </section>
  )
}
