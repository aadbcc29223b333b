import { Link } from '@tanstack/react-router'
import type { CurrentChallenge } from '../../worker/contract/challenge-now'
import { buttonClass } from '../ui/Button'
import { STATE_NAMES } from './challenge-words'

/** On the page of one challenge: the way to the one that /challenge shows meanwhile. */
export function LatestNote({ challenge: { title, state } }: { challenge: CurrentChallenge }) {
  return (
    <nav aria-label="The latest challenge" className="challenge-latest">
      <p className="wrap-anywhere">
        <span className="mr-3 font-label text-gold">{STATE_NAMES[state]}</span>
        {title}
      </p>
      <Link to="/challenge" className={buttonClass('outline')}>
        {state === 'published' ? 'To the latest challenge' : 'To the challenge that is on'}
      </Link>
    </nav>
  )
}
