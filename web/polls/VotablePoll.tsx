import { useRef } from 'react'
import type { PollView } from '../../worker/contract/polls'
import { hasStatus } from '../api/call'
import { useMe } from '../auth/auth.queries'
import { ConfirmEmailNotice } from '../auth/ConfirmEmailNotice'
import { useLiveCounts } from './live-counts'
import { PollCard } from './PollCard'
import { requestSignUpToVote, toastVote, toastVoteFailure, useVote } from './vote'

/** A poll that a supporter can vote in; afterwards its counts update live. */
export function VotablePoll({ poll }: { poll: PollView }) {
  const card = useRef<HTMLElement>(null)
  const vote = useVote()
  const isLive = useLiveCounts(poll, card)
  const cast = (optionId: string, optionTitle: string) => {
    // The pressed option gets disabled and loses the focus. The sign-up sheet returns the focus to the card instead.
    card.current?.focus({ preventScroll: true })
    const choice = { pollId: poll.id, optionId, optionTitle }
    vote.mutate(choice, {
      onSuccess: (award) => toastVote(award),
      onError: (error) => (hasStatus(error, 401) ? requestSignUpToVote(choice) : toastVoteFailure(error)),
    })
  }
  return (
    <PollCard
      ref={card}
      poll={poll}
      onChoose={cast}
      isPending={vote.isPending}
      isLive={isLive}
      notice={poll.userVote?.counted === false && <UncountedVoteNotice />}
    />
  )
}

/** Explains why the supporter's vote is not counted. */
function UncountedVoteNotice() {
  const me = useMe()
  if (!me) return null
  if (me.emailVerified)
    return (
      <p className="poll-notice">
        Another account with your mailbox has already voted in this poll. Only one vote counts.
      </p>
    )
  return (
    <ConfirmEmailNotice email={me.email} className="poll-notice">
      Your vote counts once you confirm your email, up to the end of the poll.
    </ConfirmEmailNotice>
  )
}
