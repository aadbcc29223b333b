import '../styles/community.css'
import type { PollView } from '../../worker/contract/polls'
import { PollCard } from '../polls/PollCard'
import { requestSignUpToVote } from '../polls/vote'
import { CommunityVoting } from './CommunityVoting'
import { HubInvitation } from './HubWelcome'

/** The hub for visitors on the home page: an invitation, and the polls that end first. */
export function HubPreview() {
  return (
    <>
      <div className="col-span-full lg:col-span-9">
        <HubInvitation />
      </div>
      <CommunityVoting isOnHomePage renderPoll={(poll) => <VisitorPoll key={poll.id} poll={poll} />} />
    </>
  )
}

/** A poll for a visitor. Choosing an option opens the sign-up sheet; after the sign-up, the vote is cast. */
export function VisitorPoll({ poll }: { poll: PollView }) {
  return (
    <PollCard
      poll={poll}
      onChoose={(optionId, optionTitle) => requestSignUpToVote({ pollId: poll.id, optionId, optionTitle })}
    />
  )
}
