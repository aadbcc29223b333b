import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { authStatus } from '../auth/auth.queries'
import { PollCard } from '../polls/PollCard'
import { buttonClass } from '../ui/Button'
import { Section } from '../ui/Section'
import { Skeleton } from '../ui/Skeleton'
import { toast } from '../ui/toast'
import { CommunityVoting } from './CommunityVoting'
import { MissionTaste } from './MissionTaste'
import { TopSupporters } from './TopSupporters'

const SupporterHub = lazy(() => import('./SupporterHub').then((m) => ({ default: m.SupporterHub })))

/** Track 05: what supporters do. A visitor sees a taste of it; a supporter's own hub is fetched when one is known. */
export function HubSection() {
  const { data: me, isPending } = useQuery(authStatus)
  return (
    <Section id="smart-features" number="05" title="Supporter Hub" note="Points from day one">
      {me ? (
        <Suspense fallback={<Skeleton className="col-span-full h-[60rem]" label="Fetching your hub" />}>
          <SupporterHub key={me.id} me={me} />
        </Suspense>
      ) : (
        <Taste isPending={isPending} />
      )}
    </Section>
  )
}

/** The hub from outside: who leads, what can be voted on and what it earns. A vote asks to log in (ruling 31). */
function Taste({ isPending }: { isPending: boolean }) {
  const askToLogIn = () => {
    if (!isPending) toast({ title: 'Login required', text: 'Please sign up or login to vote', tone: 'destructive' })
  }
  return (
    <>
      <div className="col-span-full mb-12 lg:col-span-7 lg:mb-0">
        {isPending ? <Skeleton className="h-72" label="Fetching your session" /> : <Teaser />}
      </div>
      <div className="col-span-full lg:col-span-4 lg:col-start-9">
        <TopSupporters />
      </div>
      <CommunityVoting card={(poll) => <PollCard key={poll.id} poll={poll} onChoose={askToLogIn} />} />
      <MissionTaste />
    </>
  )
}

function Teaser() {
  return (
    <div className="flex min-h-72 flex-col items-start justify-end">
      <p className="font-display text-[clamp(2rem,1rem+3.4vw,3.75rem)] leading-[0.98] text-balance">
        Vote, stream, show up. <span className="block foil-text">It all counts.</span>
      </p>
      <p className="mt-5 max-w-[34rem] text-lg text-muted">
        Points for every vote, every first listen and every night at the door. An account is free.
      </p>
      <Link to="/signup" search={{}} className={buttonClass('foil', 'mt-7')}>
        Start Exploring
      </Link>
    </div>
  )
}
