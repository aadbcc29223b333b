import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { PollView } from '../../worker/contract/polls'
import { useActivePolls } from '../polls/polls.queries'
import { Button, buttonClass } from '../ui/Button'
import { QueryBoundary } from '../ui/QueryBoundary'
import { Skeleton } from '../ui/Skeleton'

const INITIAL_POLLS = 6
const HOME_PAGE_POLLS = 2

type Props = {
  /** Renders a poll; visitors and supporters get different cards. */
  renderPoll: (poll: PollView) => ReactNode
  /** Shows only the polls that end first, and a link to all. */
  isOnHomePage?: boolean
  /** Shown below the title. */
  children?: ReactNode
}

const pollSkeletons = (
  <div className="poll-cards">
    <Skeleton className="h-[26rem]" label="Loading the polls" />
    <Skeleton className="h-[26rem]" />
  </div>
)

/** The open polls, by end date. */
export function CommunityVoting({ renderPoll, isOnHomePage = false, children }: Props) {
  const [isExpanded, setIsExpanded] = useState(false)
  return (
    <section id="community-voting" tabIndex={-1} aria-labelledby="community-voting-title" className="voting">
      <div className="min-w-0">
        <h3 id="community-voting-title" className="voting-title mb-6 font-display">
          Community Voting
        </h3>
        {children}
      </div>
      <div className="min-w-0">
        <QueryBoundary query={useActivePolls()} loading={pollSkeletons} error="The polls could not be loaded.">
          {(polls) => {
            if (polls.length === 0)
              return (
                <p className="border-t border-rule pt-5 text-muted">No polls are open right now. Check back soon.</p>
              )
            if (isOnHomePage)
              return (
                <>
                  <div className="poll-cards poll-cards-preview">{polls.slice(0, HOME_PAGE_POLLS).map(renderPoll)}</div>
                  <Link to="/hub" hash="community-voting" className={buttonClass('text', 'voting-more mt-4 -ml-3')}>
                    All polls
                  </Link>
                </>
              )
            const visiblePolls = isExpanded ? polls : polls.slice(0, INITIAL_POLLS)
            return (
              <>
                <div className="poll-cards">{visiblePolls.map(renderPoll)}</div>
                {visiblePolls.length < polls.length && (
                  <Button className="mt-6" onClick={() => setIsExpanded(true)}>
                    Show all {polls.length} polls
                  </Button>
                )}
              </>
            )
          }}
        </QueryBoundary>
      </div>
    </section>
  )
}
