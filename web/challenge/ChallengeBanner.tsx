import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ChallengeState } from '../../worker/contract/challenge'
import { useNow } from '../lib/useNow'
import { buttonClass } from '../ui/Button'
import { currentChallenge } from './challenge.queries'
import { formatDateRange, PHASE_LABELS, statusText } from './challenge-text'

const ACTION_LABELS: Partial<Record<ChallengeState, string>> = {
  submissions: 'Send your verse',
  voting: 'Listen and vote',
}

/** The running challenge, else the last one, with its state and dates; renders nothing before the first challenge. */
export function ChallengeBanner() {
  const { data: challenge } = useQuery(currentChallenge)
  const now = useNow(60_000)
  if (!challenge) return null
  // Order of the timeline: submissions open, submissions close, finalists, voting opens, voting closes, winner, prize.
  const dayOf = (index: number) => challenge.timeline[index]?.date ?? ''
  return (
    <section aria-labelledby="challenge-banner" className="challenge-banner">
      <div>
        <p className="font-label text-gold">Verse challenge · {PHASE_LABELS[challenge.state]}</p>
        <h3 id="challenge-banner" className="mt-3 font-display text-xl wrap-anywhere text-balance md:text-2xl">
          {challenge.title}
        </h3>
        <p className="tabular-figures mt-4 max-w-prose text-lg">{statusText(challenge, now).text}</p>
        <Link to="/challenge" className={buttonClass('primary', 'mt-6 md:mt-8')}>
          {ACTION_LABELS[challenge.state] ?? 'See the challenge'}
        </Link>
      </div>
      <dl className="grid content-start">
        {[
          ['Verses', formatDateRange(dayOf(0), dayOf(1))],
          ['Voting', formatDateRange(dayOf(3), dayOf(4))],
          ['Winner', formatDateRange(dayOf(5), dayOf(5))],
        ].map(([term, days]) => (
          <div key={term} className="flex flex-wrap justify-between gap-x-6 border-b border-rule py-3">
            <dt className="font-label leading-6 text-muted">{term}</dt>
            <dd className="tabular-figures ml-auto leading-6">{days}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
