import type { Me } from '../../worker/contract/auth'
import { Leaderboard } from '../points/Leaderboard'
import { PointsHistory } from '../points/PointsHistory'
import { PointsRing } from '../points/PointsRing'
import { Ballot } from '../polls/Ballot'
import { ClosedPolls } from '../polls/ClosedPolls'
import { CreatePoll } from '../polls/CreatePoll'
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
      <CommunityVoting card={(poll) => <Ballot key={poll.id} poll={poll} />}>
        <CreatePoll />
      </CommunityVoting>
      <ClosedPolls />
      <HubCommunity />
    </>
  )
}
