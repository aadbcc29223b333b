import type { AdminChallenge, VerseSubmission } from '../../worker/contract/admin-challenge'
import { Panel } from '../admin/Panel'
import { ScreenLink } from '../admin/ScreenLink'
import { formatCountOf } from '../lib/format'
import { buttonClass } from '../ui/Button'
import { EmptyNotice } from '../ui/EmptyNotice'
import { ChallengeVerses } from './ChallengeVerses'
import { areFinalistsEditable, arePicksPublic, PUBLIC_PICKS_WARNING } from './challenge-admin-text'
import { VerseCard } from './VerseCard'

/** /admin/challenge/$id/finalists: finalists and candidates side by side. */
export const FinalistsPage = () => (
  <ChallengeVerses title="Finalists">
    {(challenge, verses) => <Finalists challenge={challenge} verses={verses} />}
  </ChallengeVerses>
)

type FinalistsProps = { challenge: AdminChallenge; verses: readonly VerseSubmission[] }

/** Minimum average rating of a candidate. Verses on the shortlist are candidates at any rating. */
const MIN_CANDIDATE_AVERAGE = 4

function Finalists({ challenge, verses }: FinalistsProps) {
  const { id, finalists } = challenge
  const verseById = new Map(verses.map((verse) => [verse.id, verse]))
  const isEditable = areFinalistsEditable(challenge)
  const candidates = verses
    .filter(
      ({ isFinalist, shortlisted, averageRating }) =>
        !isFinalist && (shortlisted || (averageRating ?? 0) >= MIN_CANDIDATE_AVERAGE),
    )
    .toSorted((a, b) => (b.averageRating ?? 0) - (a.averageRating ?? 0))
  return (
    <div className="grid gap-12">
      <Panel title="Picked" note={limitsNote(challenge)}>
        {finalists.length === 0 ? (
          <EmptyNotice>
            <p>No finalists yet. Pick them while you listen, or from the candidates below.</p>
            <ScreenLink screen="listening" params={{ id }} className={buttonClass('outline', 'mt-4')}>
              Listen
            </ScreenLink>
          </EmptyNotice>
        ) : (
          <ol className={GRID_CLASS}>
            {finalists.map(({ id: finalistId, name, submissionId }, index) => (
              <li key={finalistId} className={CARD_CLASS}>
                <p className="tabular-figures font-display text-2xl text-gold">{String(index + 1).padStart(2, '0')}</p>
                <VerseColumn
                  title={name}
                  verse={submissionId === null ? undefined : verseById.get(submissionId)}
                  challenge={challenge}
                />
              </li>
            ))}
          </ol>
        )}
        {isEditable && (
          <ScreenLink
            screen="challengeSteps"
            params={{ id }}
            search={{ step: 'finalists' }}
            className={buttonClass('text', 'mt-4 -ml-3')}
          >
            Change names and order
          </ScreenLink>
        )}
      </Panel>
      {isEditable && (
        <Panel title="Candidates" note="Verses on the shortlist or rated 4 or more on average, best first.">
          {candidates.length === 0 ? (
            <EmptyNotice>
              No candidates yet. Rate verses or put them on the shortlist, and they appear here.
            </EmptyNotice>
          ) : (
            <ul className={GRID_CLASS}>
              {candidates.map((verse) => (
                <li key={verse.id} className={CARD_CLASS}>
                  <VerseColumn title={verse.name} verse={verse} challenge={challenge} />
                </li>
              ))}
            </ul>
          )}
        </Panel>
      )}
    </div>
  )
}

const GRID_CLASS = 'grid gap-5 sm:grid-cols-[repeat(auto-fill,minmax(20rem,1fr))]'
const CARD_CLASS = 'grid min-w-0 content-start gap-6 border border-rule bg-sleeve p-5'

function limitsNote(challenge: AdminChallenge): string {
  if (!areFinalistsEditable(challenge)) return 'Voting has begun, so the finalists can’t change.'
  const count = formatCountOf(challenge.finalists.length, 'finalist')
  return `${count}. Voting needs at least 2; there can be up to 20.${arePicksPublic(challenge) ? ` ${PUBLIC_PICKS_WARNING}` : ''}`
}

type ColumnProps = {
  title: string
  /** Undefined for a finalist without a verse in the list. */
  verse: VerseSubmission | undefined
  challenge: AdminChallenge
}

function VerseColumn({ title, verse, challenge }: ColumnProps) {
  if (!verse)
    return (
      <>
        <h3 className="font-display text-xl wrap-anywhere">{title}</h3>
        <p className="text-muted">This finalist has no verse here.</p>
      </>
    )
  return (
    <VerseCard verse={verse} challenge={challenge} title={title} isColumn>
      {verse.note && (
        <p className="border-l-2 border-rule-strong pl-4 text-sm whitespace-pre-line wrap-anywhere">{verse.note}</p>
      )}
    </VerseCard>
  )
}
