import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { formatCount } from '../lib/format'
import { leaderboard, missions } from '../points/points.queries'
import { PollCard } from '../polls/PollCard'
import { buttonClass } from '../ui/Button'
import { QueryBoundary } from '../ui/QueryBoundary'
import { Skeleton } from '../ui/Skeleton'
import { toast } from '../ui/toast'
import { CommunityVoting } from './CommunityVoting'

const TOP_SUPPORTERS = 5
const PREVIEW_MISSIONS = 4

const toastLoginRequired = () =>
  toast({ title: 'Login required', text: 'Please sign up or login to vote', tone: 'destructive' })

/** The hub for visitors: top supporters, polls without a vote, and some missions. */
export function HubPreview() {
  return (
    <>
      <div className="col-span-full mb-12 lg:col-span-7 lg:mb-0">
        <Teaser />
      </div>
      <div className="col-span-full lg:col-span-4 lg:col-start-9">
        <TopSupporters />
      </div>
      <CommunityVoting card={(poll) => <PollCard key={poll.id} poll={poll} onChoose={toastLoginRequired} />} />
      <MissionPreview />
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
      <Link to="/signup" search={{}} className={buttonClass('primary', 'mt-7')}>
        Start Exploring
      </Link>
    </div>
  )
}

function TopSupporters() {
  const inSection = (children: ReactNode) => (
    <section aria-labelledby="top-supporters">
      <h3 id="top-supporters" className="border-b-4 border-gold pb-3 font-label text-gold">
        Top supporters
      </h3>
      {children}
    </section>
  )
  return (
    <QueryBoundary
      query={useQuery(leaderboard)}
      loading={inSection(<Skeleton className="mt-1 h-[20.5rem]" label="Fetching the leaderboard" />)}
      error="The leaderboard could not be fetched."
    >
      {({ entries }) =>
        inSection(
          entries.length === 0 ? (
            <p className="py-4 text-muted">Nobody has earned points yet. First place is free.</p>
          ) : (
            <ol>
              {entries.slice(0, TOP_SUPPORTERS).map(({ rank, username, points }) => (
                <li key={username} className="flex min-h-16 items-center gap-5 border-b border-rule">
                  <span className="figures w-10 font-display text-2xl text-muted">{rank}</span>
                  <span className="min-w-0 truncate text-lg font-semibold">{username}</span>
                  <span className="figures ml-auto shrink-0 text-gold">{formatCount(points)} pts</span>
                </li>
              ))}
            </ol>
          ),
        )
      }
    </QueryBoundary>
  )
}

function MissionPreview() {
  const query = useQuery(missions)
  if (query.data?.length === 0) return null
  return (
    <section aria-labelledby="mission-preview" className="col-span-full mt-16 md:mt-24">
      <h3 id="mission-preview" className="mb-6 font-display text-2xl">
        Missions
      </h3>
      <QueryBoundary
        query={query}
        loading={{ className: 'h-44', label: 'Fetching the missions' }}
        error="The missions could not be fetched."
      >
        {(data) => (
          <ul className="grid border-t-2 border-rule-strong xs:grid-cols-2 lg:grid-cols-4">
            {data.slice(0, PREVIEW_MISSIONS).map(({ id, title, description, points }) => (
              <li key={id} className="mission">
                <p className="figures font-display text-2xl text-gold">+{points}</p>
                <h4 className="mt-3 text-lg leading-snug font-bold">{title}</h4>
                <p className="mt-1.5 text-sm text-muted">{description}</p>
              </li>
            ))}
          </ul>
        )}
      </QueryBoundary>
    </section>
  )
}
