import type { Me } from '../../worker/contract/auth'
import { Leaderboard } from '../points/Leaderboard'
import { PointsHistory } from '../points/PointsHistory'
import { PointsRing } from '../points/PointsRing'
import { ClosedPolls } from '../polls/ClosedPolls'
import { CreatePoll } from '../polls/CreatePoll'
import { VotablePoll } from '../polls/VotablePoll'
import { CommunityVoting } from './CommunityVoting'
import { HubCommunity } from './HubCommunity'

/** What the supporter has, why they have it, where they stand, and the polls. */
export function Dashboard({ me }: { me: Me }) {
  return (
    <>
      <div className="hub-board">
        <PointsRing points={me.points} />
        <PointsHistory />
        <Leaderboard username={me.username} />
      </div>
      <CommunityVoting card={(poll) => <VotablePoll key={poll.id} poll={poll} />}>
        <CreatePoll />
      </CommunityVoting>
      <ClosedPolls />
      <HubCommunity />
    </>
  )
}
