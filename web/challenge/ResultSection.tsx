import { Link } from '@tanstack/react-router'
import { Download } from 'lucide-react'
import recountUrl from '../../docs/recount.mjs?url'
import type { PublicChallenge, TallySeal } from '../../worker/contract/challenge'
import { formatCount, formatCountOf } from '../lib/format'
import { useLocalDay } from '../lib/local-day'
import { buttonClass } from '../ui/Button'
import { ChallengePageSection } from './ChallengePageSection'
import { CopyText } from './CopyText'
import { FinalistBars } from './FinalistBars'

type Props = { results: NonNullable<PublicChallenge['results']> }

export function ResultSection({ results: { finalists, counted } }: Props) {
  const [first] = finalists
  const winners = finalists.filter(({ votes }) => votes === first?.votes)
  return (
    <ChallengePageSection title="The result">
      {counted === 0 ? (
        <p className="text-lg">No votes were counted, so there is no winner.</p>
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
        <span className="tabular-figures text-ivory">{formatCount(counted)}</span> {counted === 1 ? 'vote' : 'votes'}{' '}
        for <span className="tabular-figures text-ivory">{finalists.length}</span> finalists.
      </p>
      <FinalistBars finalists={finalists} />
    </ChallengePageSection>
  )
}

type TallySectionProps = { id: string; seal: TallySeal; results: PublicChallenge['results'] }

/** The digest of the final votes and, once published, how to recount them. */
export function TallySection({ id, seal, results }: TallySectionProps) {
  const day = useLocalDay(seal.sealedAt)
  return (
    <ChallengePageSection title={results ? 'Count it yourself' : 'Voting results are sealed'} id="recount">
      <p className="max-w-prose">
        The votes became final on <time dateTime={seal.sealedAt}>{day}</time>, with{' '}
        {formatCountOf(seal.ballots, 'ballot')}. Below is the fingerprint of the tally, the file that lists every
        ballot: change one character in it, and the fingerprint changes.{' '}
        {!results && 'We publish it before anyone knows the result, so no vote can be changed afterwards.'}
      </p>
      <div className="mt-6">
        <CopyText label="SHA-256 of the tally" text={seal.sha256} />
      </div>
      {results && (
        <>
          {results.excluded > 0 && (
            <p className="mt-6 max-w-prose">
              {formatCountOf(results.excluded, 'ballot')} {results.excluded === 1 ? 'was' : 'were'} left out after a
              review. The tally lists them too, each with the reason it was flagged.
            </p>
          )}
          <ol className="recount">
            <li>
              <p>Download the tally: one line per ballot, in the order they were cast, without names.</p>
              <a href={results.tallyUrl} download className={buttonClass('primary', 'mt-4')}>
                <Download size={18} aria-hidden />
                The tally (CSV)
              </a>
            </li>
            <li>
              <p>Download the counting script. It is short, so read it first.</p>
              <a href={recountUrl} download="recount.mjs" className={buttonClass('outline', 'mt-4')}>
                <Download size={18} aria-hidden />
                recount.mjs
              </a>
            </li>
            <li>
              <p>Run it with Node in the folder with both files. It prints the votes and checks the fingerprint.</p>
              <div className="mt-4">
                <CopyText label="Command" text={`node recount.mjs ${tallyFileName(results.tallyUrl)} ${seal.sha256}`} />
              </div>
            </li>
          </ol>
          <p className="mt-8 max-w-prose text-muted">
            The result and its tally keep{' '}
            <Link
              to="/challenge/$id"
              params={{ id }}
              className="text-gold underline underline-offset-4 hover:text-gold-bright"
            >
              this address
            </Link>{' '}
            when the next challenge is on.
          </p>
        </>
      )}
    </ChallengePageSection>
  )
}

/** File name of the download: `/api/challenges/x/tally.csv` is sent as `tally-x.csv`. */
const tallyFileName = (url: string) => url.replace(/^.*\/([^/]+)\/tally\.csv$/, 'tally-$1.csv')
