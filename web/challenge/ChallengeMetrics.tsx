import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { HallOfFameEntry } from '../../worker/contract/hall-of-fame'
import { MetricCard } from '../admin/MetricCard'
import { formatCalendarDate, formatCount } from '../lib/format'
import { QueryBoundary } from '../ui/QueryBoundary'
import { hallOfFame } from './hall-of-fame.queries'

export function ChallengeMetrics({ challenge }: { challenge: HallOfFameEntry }) {
  const { totalVotes, totalSubmissions, finalists, winner, winnerVotes, prize, date } = challenge
  return (
    <div className="grid gap-12">
      <dl className="grid gap-8 sm:grid-cols-3">
        <MetricCard label="Total votes" value={formatCount(totalVotes)} />
        <MetricCard label="Submissions" value={formatCount(totalSubmissions)} />
        <MetricCard label="Finalists" value={formatCount(finalists.length)} />
      </dl>
      <dl className="grid max-w-3xl">
        {[
          ['Winner', winner],
          ['Winning votes', `${formatCount(winnerVotes)} (${finalists[0]?.percent ?? 0}%)`],
          ['Winner announced', formatCalendarDate(date)],
          ['Prize', prize],
        ].map(([term, value]) => (
          <div key={term} className="grid gap-x-6 border-t border-rule py-3 sm:grid-cols-[12rem_1fr]">
            <dt className="font-label leading-6 text-muted">{term}</dt>
            <dd className="tabular-figures leading-6">{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

type FinishedChallengeProps = { children: (challenge: HallOfFameEntry) => ReactNode }

/** Renders the latest challenge with a winner, or a notice while there is none. */
export function FinishedChallenge({ children }: FinishedChallengeProps) {
  return (
    <QueryBoundary
      query={useQuery(hallOfFame)}
      loading={{ label: 'Loading the result', className: 'h-72' }}
      error="The finished challenge could not be loaded."
    >
      {(challenge) => (challenge ? children(challenge) : <p className="text-muted">No challenge has a winner yet.</p>)}
    </QueryBoundary>
  )
}
