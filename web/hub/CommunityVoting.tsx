import { Ballot } from '../polls/Ballot'
import { PollCard } from '../polls/PollCard'
import { useActivePolls } from '../polls/polls.queries'
import { LoadError } from '../ui/LoadError'
import { Skeleton } from '../ui/Skeleton'
import { toast } from '../ui/toast'

const askToLogIn = () =>
  toast({ title: 'Login required', text: 'Please sign up or login to vote', tone: 'destructive' })

/** The polls that are open. A visitor who chooses an option is asked to log in (ruling 31). */
export function CommunityVoting({ visitor }: { visitor: boolean }) {
  const { data: polls, isError, isFetching, refetch } = useActivePolls()
  return (
    <section id="community-voting" tabIndex={-1} aria-labelledby="community-voting-title" className="voting">
      <h3 id="community-voting-title" className="voting-title font-display">
        Community Voting
      </h3>
      <div className="min-w-0">
        {polls ? (
          polls.length > 0 ? (
            <div className="ballots">
              {polls.map((poll) =>
                visitor ? (
                  <PollCard key={poll.id} poll={poll} onChoose={askToLogIn} />
                ) : (
                  <Ballot key={poll.id} poll={poll} />
                ),
              )}
            </div>
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
