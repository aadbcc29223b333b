import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import type { ChallengeState } from '../../worker/contract/challenge-now'
import { useNow } from '../lib/useNow'
import { buttonClass } from '../ui/Button'
import { daysBetween, STATE_NAMES, standingOf } from './challenge-words'
import { currentChallenge } from './now.queries'

/** What there is to do on its page. */
const WAYS: Partial<Record<ChallengeState, string>> = { submissions: 'Send your verse', voting: 'Listen and vote' }

type Props = {
  /** Whose plaque it stands over: that one is not said twice, nor another that is decided already. */
  past?: string | undefined
}

/** The challenge that is on: what it is called, where it stands, its days and the way there. Absent while there is none. */
export function ChallengeBand({ past }: Props) {
  const { data: challenge } = useQuery(currentChallenge)
  const now = useNow(60_000)
  if (!challenge || (past && (challenge.id === past || challenge.state === 'published'))) return null
  const day = (at: number) => challenge.timeline[at]?.date ?? ''
  return (
    <section aria-labelledby="challenge-band" className={clsx('challenge-band', past && 'mb-20 lg:mb-52')}>
      <div>
        <p className="font-label text-gold">Verse challenge · {STATE_NAMES[challenge.state]}</p>
        <h3 id="challenge-band" className="mt-3 font-display text-2xl wrap-anywhere text-balance">
          {challenge.title}
        </h3>
        <p className="figures mt-4 max-w-prose text-lg">{standingOf(challenge, now).words}</p>
        <Link to="/challenge" className={buttonClass('foil', 'mt-8')}>
          {WAYS[challenge.state] ?? 'See the challenge'}
        </Link>
      </div>
      <dl className="grid content-start">
        {[
          ['Verses', daysBetween(day(0), day(1))],
          ['Voting', daysBetween(day(3), day(4))],
          ['Winner', daysBetween(day(5), day(5))],
        ].map(([term, days]) => (
          <div key={term} className="flex flex-wrap justify-between gap-x-6 border-b border-rule py-3">
            <dt className="font-label leading-6 text-muted">{term}</dt>
            <dd className="figures ml-auto leading-6">{days}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
