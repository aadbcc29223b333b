import '../styles/account.css'
import { useRouter } from '@tanstack/react-router'
import { Tabs } from 'radix-ui'
import { useEffect, useState } from 'react'
import type { Me } from '../../worker/contract/auth'
import { ExclusivePosts } from '../community/ExclusivePosts'
import { LatestPosts } from '../community/LatestPosts'
import { formatCount } from '../lib/format'
import { useCountUp } from '../lib/useCountUp'
import { Celebration } from '../points/Celebration'
import { Leaderboard } from '../points/Leaderboard'
import { Missions, ReferAFriend } from '../points/Missions'
import { PointsHistory } from '../points/PointsHistory'
import { PointsRing } from '../points/PointsRing'
import { ClosedPolls } from '../polls/ClosedPolls'
import { CreatePoll } from '../polls/CreatePoll'
import { VotablePoll } from '../polls/VotablePoll'
import { CommunityVoting } from './CommunityVoting'

const TABS = [
  ['exclusive', 'Exclusive'],
  ['dashboard', 'Dashboard'],
  ['missions', 'Supporter Missions'],
] as const

/** A supporter's hub. `initialPoints` is the total when the page opened; points earned since are celebrated. */
export function SupporterHub({ me, initialPoints }: { me: Me; initialPoints: number }) {
  const [tab, setTab] = useState('dashboard')
  const router = useRouter()
  // Links to the polls open the tab that contains them.
  useEffect(
    () =>
      router.subscribe('onBeforeNavigate', ({ toLocation }) => {
        if (toLocation.hash === 'community-voting') setTab('dashboard')
      }),
    [router],
  )
  return (
    <div className="col-span-full min-w-0">
      <Welcome me={me} />
      <Tabs.Root value={tab} onValueChange={setTab}>
        <Tabs.List aria-label="Supporter Hub" className="hub-tabs">
          {TABS.map(([value, label]) => (
            <Tabs.Trigger key={value} value={value} className="hub-tab">
              {label}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        <Tabs.Content value="exclusive" className="hub-panel">
          <ExclusivePosts tier={me.tier} />
        </Tabs.Content>
        <Tabs.Content value="dashboard" className="hub-panel">
          <div className="hub-board">
            <PointsRing points={me.points} />
            <PointsHistory />
            <Leaderboard username={me.username} />
          </div>
          <CommunityVoting card={(poll) => <VotablePoll key={poll.id} poll={poll} />}>
            <CreatePoll />
          </CommunityVoting>
          <ClosedPolls />
          <LatestPosts />
        </Tabs.Content>
        <Tabs.Content value="missions" className="hub-panel">
          <div className="hub-missions">
            <ReferAFriend me={me} />
            <Missions />
          </div>
        </Tabs.Content>
      </Tabs.Root>
      <Celebration points={me.points} initialPoints={initialPoints} />
    </div>
  )
}

function Welcome({ me }: { me: Me }) {
  const points = useCountUp(me.points)
  return (
    <div className="hub-welcome">
      <p className="hub-name font-display">
        <span className="block font-label text-muted">Welcome,</span> {me.username}
      </p>
      <p className="figures shrink-0 text-lg text-muted">
        <span className="font-display text-2xl text-gold-bright">{formatCount(points)}</span> points
      </p>
    </div>
  )
}
