import '../styles/community.css'
import '../styles/hub.css'
import { Link, useRouter } from '@tanstack/react-router'
import { Tabs } from 'radix-ui'
import { useEffect, useState } from 'react'
import type { Me } from '../../worker/contract/auth'
import { ExclusivePosts } from '../community/ExclusivePosts'
import { Celebration } from '../points/Celebration'
import { Missions } from '../points/Missions'
import { PointsHistory } from '../points/PointsHistory'
import { ReferAFriend } from '../points/ReferAFriend'
import { CreatePoll } from '../polls/CreatePoll'
import { VotablePoll } from '../polls/VotablePoll'
import { buttonClass } from '../ui/Button'
import { CommunityVoting } from './CommunityVoting'
import { HubWelcome } from './HubWelcome'

const TABS = [
  ['exclusive', 'Exclusive'],
  ['dashboard', 'Dashboard'],
  ['missions', 'Supporter Missions'],
] as const
const MAX_POSTS = 2
const MAX_MISSIONS = 4

/**
 * A supporter's hub on the home page; each tab links to its page. `initialPoints` is the total when the page opened;
 * points earned since are celebrated.
 */
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
      <HubWelcome me={me} headingLevel="h3" />
      <Tabs.Root value={tab} onValueChange={setTab}>
        <Tabs.List aria-label="Supporter Hub" className="hub-tabs">
          {TABS.map(([value, label]) => (
            <Tabs.Trigger key={value} value={value} className="hub-tab">
              {label}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        <Tabs.Content value="exclusive" className="hub-panel">
          <ExclusivePosts tier={me.tier} max={MAX_POSTS} />
          <Link to="/hub/exclusive" className={buttonClass('text', 'mt-6 -ml-3')}>
            All exclusive posts
          </Link>
        </Tabs.Content>
        <Tabs.Content value="dashboard" className="hub-panel">
          <PointsHistory />
          <CommunityVoting isOnHomePage renderPoll={(poll) => <VotablePoll key={poll.id} poll={poll} />}>
            <CreatePoll />
          </CommunityVoting>
          <Link to="/hub" className={buttonClass('outline', 'mt-10')}>
            Open the hub
          </Link>
        </Tabs.Content>
        <Tabs.Content value="missions" className="hub-panel">
          <div className="hub-missions">
            <ReferAFriend me={me} />
            <div>
              <Missions max={MAX_MISSIONS} />
              <Link to="/hub/missions" className={buttonClass('text', 'mt-6 -ml-3')}>
                All missions
              </Link>
            </div>
          </div>
        </Tabs.Content>
      </Tabs.Root>
      <Celebration points={me.points} initialPoints={initialPoints} />
    </div>
  )
}
