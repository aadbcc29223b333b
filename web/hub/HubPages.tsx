import '../styles/community.css'
import '../styles/hub.css'
import type { QueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { type ReactNode, useState } from 'react'
import type { Me } from '../../worker/contract/auth'
import { useMe, useRefetchPersonalized, useSession } from '../auth/auth.queries'
import { exclusivePosts } from '../community/community.queries'
import { ExclusivePosts } from '../community/ExclusivePosts'
import { Celebration } from '../points/Celebration'
import { Leaderboard } from '../points/Leaderboard'
import { Missions, MissionsBoundary } from '../points/Missions'
import { PointsHistory } from '../points/PointsHistory'
import { allMissions, topSupporters } from '../points/points.queries'
import { ReferAFriend } from '../points/ReferAFriend'
import { ClosedPolls } from '../polls/ClosedPolls'
import { CreatePoll } from '../polls/CreatePoll'
import { activePolls, closedPolls } from '../polls/polls.queries'
import { VotablePoll } from '../polls/VotablePoll'
import { CommunityVoting } from './CommunityVoting'
import { VisitorPoll } from './HubPreview'
import { HubInvitation, HubWelcome } from './HubWelcome'

const TABS = [
  ['/hub/exclusive', 'Exclusive'],
  ['/hub', 'Dashboard'],
  ['/hub/missions', 'Supporter Missions'],
] as const

export const preloadHub = (queryClient: QueryClient) =>
  Promise.all([
    queryClient.ensureQueryData(activePolls),
    queryClient.ensureQueryData(closedPolls),
    queryClient.ensureQueryData(topSupporters),
  ])
export const preloadExclusivePosts = (queryClient: QueryClient) => queryClient.ensureQueryData(exclusivePosts)
export const preloadMissions = (queryClient: QueryClient) => queryClient.ensureQueryData(allMissions)

/** /hub: the dashboard of a supporter; a visitor sees an invitation, the polls and the leaderboard. */
export function HubPage() {
  const { me, isPending } = useSession()
  // A vote while the session loads is sent as a supporter's; for a visitor, the server responds with 401.
  const Poll = me || isPending ? VotablePoll : VisitorPoll
  return (
    <HubLayout tab="Dashboard">
      <div className="hub-dashboard">
        {me && <PointsHistory />}
        <Leaderboard username={me?.username} />
      </div>
      <CommunityVoting renderPoll={(poll) => <Poll key={poll.id} poll={poll} />}>
        {me && <CreatePoll />}
      </CommunityVoting>
      <ClosedPolls />
    </HubLayout>
  )
}

/** /hub/exclusive: the posts for the paid tiers; only their titles for lower tiers. */
export function HubExclusivePage() {
  const me = useMe()
  return (
    <HubLayout tab="Exclusive">
      <div className="col-span-full lg:col-span-9">
        <ExclusivePosts tier={me?.tier ?? 'bronze'} />
      </div>
    </HubLayout>
  )
}

/** /hub/missions: the missions, with a supporter's progress and referrals. */
export function HubMissionsPage() {
  const me = useMe()
  return (
    <HubLayout tab="Supporter Missions">
      <div className="col-span-full">
        {me ? (
          <div className="hub-missions">
            <ReferAFriend me={me} />
            <Missions />
          </div>
        ) : (
          <AllMissions />
        )}
      </div>
    </HubLayout>
  )
}

function HubLayout({ tab, children }: { tab: (typeof TABS)[number][1]; children: ReactNode }) {
  useRefetchPersonalized()
  return (
    <main id="content" tabIndex={-1} className="page-grid gap-y-10 pt-10 pb-24 md:gap-y-14 md:pt-16">
      <h1 className="col-span-full font-display text-title">Hub</h1>
      <Greeting />
      <div className="col-span-full">
        <nav aria-label="Hub">
          <ul className="hub-tabs">
            {TABS.map(([path, label]) => (
              <li key={path} className="flex">
                <Link to={path} activeOptions={{ exact: true }} className="hub-tab flex items-center">
                  {label}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <h2 className="sr-only">{tab}</h2>
      </div>
      {children}
    </main>
  )
}

/**
 * A supporter's points, or an invitation for visitors. While the session loads, the invisible invitation reserves
 * space.
 */
function Greeting() {
  const { me, isPending } = useSession()
  return (
    <div className={clsx('hub-greeting', isPending && 'invisible')}>
      {me ? <SupporterGreeting key={me.id} me={me} /> : <HubInvitation withLogin />}
    </div>
  )
}

function SupporterGreeting({ me }: { me: Me }) {
  const [initialPoints] = useState(me.points)
  return (
    <>
      <HubWelcome me={me} headingLevel="h2" />
      <Celebration points={me.points} initialPoints={initialPoints} />
    </>
  )
}

const AllMissions = () => (
  <MissionsBoundary>
    {(missions) => (
      <ul className="mission-cards">
        {missions.map(({ id, title, description, points }) => (
          <li key={id} className="mission">
            <p className="tabular-figures font-display text-2xl text-gold">+{points}</p>
            <h3 className="mt-3 text-lg leading-snug font-bold">{title}</h3>
            <p className="mt-1.5 text-sm text-muted">{description}</p>
          </li>
        ))}
      </ul>
    )}
  </MissionsBoundary>
)
