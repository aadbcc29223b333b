import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { useState } from 'react'
import type { HallOfFameEntry } from '../../worker/contract/hall-of-fame'
import { formatCalendarDate } from '../lib/format'
import { useNearViewport } from '../lib/lazy-section'
import { buttonClass } from '../ui/Button'
import { QueryBoundary } from '../ui/QueryBoundary'
import { currentChallengeState, hallOfFame } from './hall-of-fame.queries'

// Loaded as a query, because the home page scrolls to a URL's section only after all queries have settled.
const bannerModule = queryOptions({
  queryKey: ['config', 'challenge banner'],
  queryFn: () => import('./lazy-pages'),
  structuralSharing: false,
})

/**
 * The last challenge with a winner and, above it, the banner of the running one, loaded near the viewport. While no
 * challenge has a winner, the banner also shows one that ended without votes.
 */
export function HallOfFame() {
  const query = useQuery(hallOfFame)
  const challenge = query.data
  const [element, setElement] = useState<HTMLElement | null>(null)
  const isNear = useNearViewport(element)
  const currentState = useQuery(currentChallengeState).data
  const hasBanner = challenge !== undefined && currentState && !(challenge && currentState === 'published')
  const { data: module } = useQuery({ ...bannerModule, enabled: isNear && Boolean(hasBanner) })
  return (
    // Rendered even if empty: the footer and VOTE NOW link here.
    <section
      ref={setElement}
      id="hall-of-fame"
      tabIndex={-1}
      aria-labelledby={challenge === null ? undefined : 'hall-of-fame-title'}
      className="col-span-full not-empty:mt-20 outline-none md:not-empty:mt-32"
    >
      {hasBanner && (
        // Reserves the banner's height: sections below would move when it loads.
        <div className={clsx('min-h-73 sm:min-h-64', challenge && 'mb-10 sm:mb-20 lg:mb-44')}>
          {module && <module.ChallengeBanner />}
        </div>
      )}
      {challenge && <WinnerCard challenge={challenge} />}
      {challenge === undefined && (
        <>
          <h3 id="hall-of-fame-title" className="mb-4 font-label text-gold">
            Hall of fame
          </h3>
          <QueryBoundary
            query={query}
            loading={{ className: 'h-[76rem] lg:h-[63rem]', label: 'Loading the hall of fame' }}
            error="The hall of fame could not be loaded."
          >
            {() => null}
          </QueryBoundary>
        </>
      )}
    </section>
  )
}

function WinnerCard({ challenge }: { challenge: HallOfFameEntry }) {
  const { id, title, winner, date, totalVotes, totalSubmissions, winnerVotes, prize, finalists } = challenge
  const isTied = finalists[1]?.votes === winnerVotes
  return (
    <div className="winner-card">
      <div className="winner-card-record">
        <div aria-hidden="true" className="disc winner-card-disc" />
        <p className="winner-card-label">
          <span className="tabular-figures font-display text-[clamp(1.1rem,0.6rem+1.9vw,2.4rem)] leading-none">
            {winnerVotes}
          </span>
          <span className="winner-card-unit font-label">votes</span>
        </p>
      </div>
      <div className="winner-card-name">
        <p className="font-label text-gold">Hall of fame</p>
        <h3 id="hall-of-fame-title" className="mt-1 font-display text-base text-balance wrap-anywhere md:text-2xl">
          {title}
        </h3>
        <p className="mt-3 font-label text-muted md:mt-6">{isTied ? 'Winners, with equal votes' : 'Winner'}</p>
        <p className="foil-text font-display text-[clamp(1.6rem,0.2rem+5vw,5rem)] leading-[0.95] wrap-anywhere">
          {winner}
        </p>
      </div>
      <div className="winner-card-stats">
        <dl className="flex flex-wrap justify-between gap-x-3 gap-y-3 md:justify-start md:gap-x-10">
          <Stat term="Date" value={formatCalendarDate(date)} />
          <Stat term="Votes" value={String(totalVotes)} />
          <Stat term="Submissions" value={String(totalSubmissions)} />
        </dl>
        <p className="mt-4 max-w-prose max-sm:hidden">
          <span className="mr-3 font-label text-muted">Prize</span>
          {prize}
        </p>
        <p className="mt-3 -ml-3 flex flex-wrap md:gap-x-2">
          <Link to="/challenge/$id" params={{ id }} className={buttonClass('text')}>
            See the final vote
          </Link>
          <Link to="/challenge/$id" params={{ id }} hash="recount" className={buttonClass('text', 'max-sm:hidden')}>
            Count it yourself
          </Link>
        </p>
      </div>
    </div>
  )
}

function Stat({ term, value }: { term: string; value: string }) {
  return (
    <div>
      <dt className="font-label text-muted max-sm:text-[0.75rem] max-sm:tracking-normal">{term}</dt>
      <dd className="tabular-figures font-semibold md:text-lg">{value}</dd>
    </div>
  )
}
