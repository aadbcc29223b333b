import type { PublicChallenge } from '../../worker/contract/challenge'
import { ChallengePageSection } from './ChallengePageSection'
import { FinalistBars } from './FinalistBars'

type Props = { challenge: PublicChallenge; results: NonNullable<PublicChallenge['results']> }

const count = new Intl.NumberFormat('en-US')

/** Who won, and how everybody did. */
export function ResultSection({ results: { finalists, counted } }: Props) {
  const [first] = finalists
  const winners = finalists.filter(({ votes }) => votes === first?.votes)
  return (
    <ChallengePageSection title="The result">
      {counted === 0 ? (
        <p className="text-lg">No vote was counted, so nobody has won.</p>
      ) : (
        <>
          <p className="font-label text-muted">{winners.length > 1 ? 'Winners, with equal votes' : 'Winner'}</p>
          {winners.map(({ id, name }) => (
            <p
              key={id}
              className="foil-text mt-2 font-display text-[clamp(2.5rem,1rem+5vw,5.5rem)] leading-[0.95] wrap-anywhere"
            >
              {name}
            </p>
          ))}
        </>
      )}
      <p className="mt-6 mb-8 text-muted">
        <span className="figures text-ivory">{count.format(counted)}</span> {counted === 1 ? 'vote' : 'votes'} for{' '}
        <span className="figures text-ivory">{finalists.length}</span> finalists.
      </p>
      <FinalistBars finalists={finalists} />
    </ChallengePageSection>
  )
}
