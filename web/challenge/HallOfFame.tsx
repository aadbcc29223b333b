import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { HallOfFameEntry } from '../../worker/contract/hall-of-fame'
import { calendarDate } from '../lib/format'
import { useNearViewport } from '../lib/lazy-section'
import { buttonClass } from '../ui/Button'
import { QueryBoundary } from '../ui/QueryBoundary'
import { FinalistBars } from './FinalistBars'
import { hallOfFame } from './hall-of-fame.queries'

// A query, so that links to later sections can wait until it has loaded.
const bannerModule = queryOptions({
  queryKey: ['config', 'challenge band'],
  queryFn: () => import('./lazy-pages'),
  structuralSharing: false,
})

/** The last finished challenge and, above it, the lazy banner of the running one. */
export function HallOfFame() {
  const query = useQuery(hallOfFame)
  const challenge = query.data
  const [element, setElement] = useState<HTMLElement | null>(null)
  const isNear = useNearViewport(element)
  const { data: module } = useQuery({ ...bannerModule, enabled: isNear && challenge !== undefined })
  return (
    // Always rendered: the footer and VOTE NOW link here.
    <section
      ref={setElement}
      id="hall-of-fame"
      tabIndex={-1}
      aria-labelledby={challenge === null ? undefined : 'hall-of-fame-title'}
      className="col-span-full not-empty:mt-20 outline-none md:not-empty:mt-32"
    >
      {challenge !== undefined && module && <module.ChallengeBanner hallOfFameId={challenge?.id} />}
      {challenge && <WinnerCard challenge={challenge} />}
      {challenge === undefined && (
        <>
          <h3 id="hall-of-fame-title" className="mb-4 font-label text-gold">
            Hall of fame
          </h3>
          <QueryBoundary
            query={query}
            loading={{ className: 'h-[76rem] lg:h-[63rem]', label: 'Fetching the hall of fame' }}
            error="The hall of fame could not be fetched."
          >
            {() => null}
          </QueryBoundary>
        </>
      )}
    </section>
  )
}

function WinnerCard({ challenge }: { challenge: HallOfFameEntry }) {
  const { id, title, winner, date, totalVotes, totalSubmissions, winnerVotes, prize, timeline, finalists } = challenge
  const isTied = finalists[1]?.votes === winnerVotes
  return (
    <div className="winner-card">
      <div className="winner-card-record">
        <div aria-hidden="true" className="disc winner-card-disc" />
        <p className="winner-card-label">
          <span className="figures font-display text-[clamp(1.6rem,1rem+1.6vw,2.4rem)] leading-none">
            {winnerVotes}
          </span>
          <span className="font-label">votes</span>
        </p>
      </div>
      <div className="lg:col-start-6 lg:-col-end-1">
        <p className="font-label text-gold">Hall of fame</p>
        <h3 id="hall-of-fame-title" className="mt-2 font-display text-2xl text-balance">
          {title}
        </h3>
        <p className="mt-8 font-label text-muted">{isTied ? 'Winners, with equal votes' : 'Winner'}</p>
        <p className="foil-text font-display text-[clamp(2.5rem,1rem+5vw,5.5rem)] leading-[0.9] wrap-anywhere">
          {winner}
        </p>
        <dl className="mt-8 flex flex-wrap gap-x-10 gap-y-4">
          <Stat term="Date" value={calendarDate(date)} />
          <Stat term="Total votes" value={String(totalVotes)} />
          <Stat term="Submissions" value={String(totalSubmissions)} />
        </dl>
        <p className="mt-6 max-w-prose">
          <span className="mr-3 font-label text-muted">Prize</span>
          {prize}
        </p>
      </div>
      <div className="lg:col-span-7 lg:col-start-1">
        <h4 className="mb-4 font-label text-muted">The final vote</h4>
        <FinalistBars finalists={finalists} />
        <p className="mt-8 flex flex-wrap gap-x-6 gap-y-3">
          <Link to="/challenge" className={buttonClass()}>
            To the verse challenge
          </Link>
          <Link to="/challenge/$id" params={{ id }} hash="recount" className={buttonClass('text', '-ml-3')}>
            Count it yourself
          </Link>
        </p>
      </div>
      <div className="lg:col-start-8 lg:-col-end-1">
        <h4 className="mb-4 font-label text-muted">Timeline</h4>
        <ol>
          {timeline.map((step) => (
            <li key={step.label} className="flex flex-wrap justify-between gap-x-6 border-t border-rule py-2.5">
              <span>{step.label}</span>
              <time dateTime={step.date} className="figures text-muted">
                {calendarDate(step.date)}
              </time>
            </li>
          ))}
        </ol>
      </div>
    </div>
  )
}

function Stat({ term, value }: { term: string; value: string }) {
  return (
    <div>
      <dt className="font-label text-muted">{term}</dt>
      <dd className="figures text-lg font-semibold">{value}</dd>
    </div>
  )
}
