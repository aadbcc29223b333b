import { Link } from '@tanstack/react-router'
import type { PublicChallenge } from '../../worker/contract/challenge'
import { buttonClass } from '../ui/Button'
import { STATE_LABELS } from './challenge-text'

/** On the page of one challenge: the way to the one that /challenge shows meanwhile. */
export function LatestChallengeNotice({ challenge: { title, state } }: { challenge: PublicChallenge }) {
  return (
    <nav aria-label="The latest challenge" className="challenge-latest">
      <p className="wrap-anywhere">
        <span className="mr-3 font-label text-gold">{STATE_LABELS[state]}</span>
        {title}
      </p>
      <Link to="/challenge" className={buttonClass('outline')}>
        {state === 'published' ? 'To the latest challenge' : 'To the challenge that is on'}
      </Link>
    </nav>
  )
}
