import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useNow } from '../lib/useNow'
import { buttonClass } from '../ui/Button'
import { STATE_NAMES, standingOf } from './challenge-words'
import { currentChallenge } from './now.queries'

/** The challenge that is on, where no finished one leads to it yet. Absent while there is none. */
export function ChallengeBand() {
  const { data: challenge } = useQuery(currentChallenge)
  const now = useNow(60_000)
  if (!challenge) return null
  return (
    <section aria-labelledby="challenge-band" className="mt-20 border-t-2 border-gold pt-6 md:mt-32">
      <p className="font-label text-gold">Verse challenge · {STATE_NAMES[challenge.state]}</p>
      <h3 id="challenge-band" className="mt-3 font-display text-2xl wrap-anywhere text-balance">
        {challenge.title}
      </h3>
      <p className="figures mt-4 max-w-prose text-lg">{standingOf(challenge, now).words}</p>
      <Link to="/challenge" className={buttonClass('foil', 'mt-8')}>
        To the verse challenge
      </Link>
    </section>
  )
}
