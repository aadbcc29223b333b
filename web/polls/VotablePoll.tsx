import { useRef } from 'react'
import type { PollView } from '../../worker/contract/polls'
import { ApiError } from '../api/call'
import { useResendVerification } from '../auth/account.queries'
import { useMe } from '../auth/auth.queries'
import { toast } from '../ui/toast'
import { useLiveCounts } from './live-counts'
import { PollCard } from './PollCard'
import { useVote } from './polls.queries'

/** A poll that a supporter can vote in; afterwards its counts update live. */
export function VotablePoll({ poll }: { poll: PollView }) {
  const card = useRef<HTMLElement>(null)
  const vote = useVote(poll.id)
  const live = useLiveCounts(poll, card)
  const cast = (optionId: string) =>
    vote.mutate(optionId, {
      onSuccess: ({ pointsAwarded }) => toast({ title: 'Vote submitted!', text: `+${pointsAwarded} points earned` }),
      onError: (error) =>
        error instanceof ApiError && error.status === 401
          ? toast({ title: 'Login required', text: 'Please sign up or login to vote', tone: 'destructive' })
          : toast({
              title: 'Vote failed',
              text: error.message || 'You may have already voted in this poll',
              tone: 'destructive',
            }),
    })
  return (
    <PollCard
      ref={card}
      poll={poll}
      onChoose={cast}
      pending={vote.isPending}
      live={live}
      notice={poll.userVote?.counted === false && <UncountedVote />}
    />
  )
}

/** Explains why the supporter's vote is not counted. */
function UncountedVote() {
  const me = useMe()
  const resend = useResendVerification()
  if (!me) return null
  if (me.emailVerified)
    return (
      <p className="poll-notice">Another account of your mailbox has voted in this poll. Only one of them counts.</p>
    )
  return (
    <div className="poll-notice">
      <p className="wrap-anywhere">
        Your vote counts once you confirm your email. Open the link in the mail to{' '}
        <strong className="font-semibold">{me.email}</strong> before the poll ends.
      </p>
      <button
        type="button"
        className="poll-notice-button"
        aria-disabled={resend.isPending}
        onClick={() => resend.isPending || resend.mutate(me.email)}
      >
        {resend.isPending ? 'Sending' : 'Send a new link'}
      </button>
    </div>
  )
}
