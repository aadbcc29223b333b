import type { ChallengeState, MyBallot } from '../../worker/contract/challenge'
import { useLocalDay } from '../lib/local-day'
import { CopyText } from './CopyText'

type Props = { ballot: MyBallot; name: string; state: ChallengeState }

/** The own ballot, kept like a ticket's stub: for whom, since when, and where to find it again. */
export function BallotReceipt({ ballot, name, state }: Props) {
  const day = useLocalDay(ballot.castAt)
  return (
    <section aria-label="Your ballot" className="challenge-stub">
      <div>
        <p className="font-label text-gold">Your ballot</p>
        <p className="mt-2 font-display text-xl wrap-anywhere">{name}</p>
        <p className="figures mt-1 text-sm text-muted">
          Cast on <time dateTime={ballot.castAt}>{day}</time>
        </p>
      </div>
      <div className="min-w-0">
        <CopyText label="Your pseudonym" text={ballot.pseudonym} />
        <p className="mt-3 max-w-prose text-sm text-muted">
          {state === 'published'
            ? 'Search the tally for it: the line that holds it is your vote, and nobody else can tell that it is yours.'
            : 'When the result is out, the public tally has one line with this pseudonym: your vote. Nobody else can tell that it is yours.'}
        </p>
      </div>
    </section>
  )
}
