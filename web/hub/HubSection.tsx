import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Me } from '../../worker/contract/auth'
import { authStatus } from '../auth/auth.queries'
import { buttonClass } from '../ui/Button'
import { Section } from '../ui/Section'
import { Skeleton } from '../ui/Skeleton'
import { CommunityVoting } from './CommunityVoting'
import { MissionTaste } from './MissionTaste'
import { TopSupporters } from './TopSupporters'

/** Track 05: what supporters do. A visitor sees a taste of it; a supporter is welcomed by name. */
export function HubSection() {
  const { data: me, isPending } = useQuery(authStatus)
  return (
    <Section id="smart-features" number="05" title="Supporter Hub" note="Points from day one">
      <div className="col-span-full mb-12 lg:col-span-7 lg:mb-0">
        {isPending ? (
          <Skeleton className="h-72" label="Fetching your session" />
        ) : me ? (
          <Welcome me={me} />
        ) : (
          <Teaser />
        )}
      </div>
      <div className="col-span-full lg:col-span-4 lg:col-start-9">
        <TopSupporters />
      </div>
      <CommunityVoting visitor={me === null} />
      <MissionTaste />
    </Section>
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

function Welcome({ me }: { me: Me }) {
  return (
    <div className="flex min-h-72 flex-col justify-end">
      <p className="font-label text-muted">Welcome, {me.username}</p>
      <p className="mt-3 flex flex-wrap items-baseline gap-x-4">
        <span className="figures foil-text font-display pb-[0.12em] text-[clamp(4rem,2rem+8vw,9rem)] leading-[0.85]">
          {me.points.toLocaleString('en-US')}
        </span>
        <span className="font-label text-gold">points</span>
      </p>
    </div>
  )
}
