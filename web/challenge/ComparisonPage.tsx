import '../styles/community.css'
import { useQuery } from '@tanstack/react-query'
import { type AdminChallenge, adminChallengeApi, type VerseSubmission } from '../../worker/contract/admin-challenge'
import { Panel } from '../admin/Panel'
import { RecordHeader } from '../admin/RecordHeader'
import { ScreenLink, useScreenParam } from '../admin/ScreenLink'
import { fillPath } from '../api/call'
import { formatCountOf, formatDateTime } from '../lib/format'
import { buttonClass } from '../ui/Button'
import { QueryBoundary } from '../ui/QueryBoundary'
import { adminChallenges } from './challenge-admin.queries'
import { areFinalistsEditable, arePicksPublic, PICKS_ARE_PUBLIC } from './challenge-admin-text'
import { FinalistControls } from './FinalistControls'
import { SubmissionSender } from './SubmissionSender'
import { VersePlayer } from './VersePlayer'
import { AverageRating, VerseRating } from './VerseRating'
import { listeningQueue } from './verse-ratings.queries'

/** /admin/challenge/$id/finalists: finalists and candidates side by side. */
export function ComparisonPage() {
  const id = useScreenParam('id')
  const challenges = useQuery(adminChallenges)
  const verses = useQuery(listeningQueue(id))
  const challenge = challenges.data?.find((row) => row.id === id)
  return (
    <>
      <RecordHeader
        back="challengeSteps"
        params={{ id }}
        title={challenge ? `Finalists: ${challenge.title}` : 'Finalists'}
      />
      <QueryBoundary
        query={challenges}
        loading={{ label: 'Loading the challenge', className: 'h-96' }}
        error="The challenge could not be loaded."
      >
        {() => (
          <QueryBoundary
            query={verses}
            loading={{ label: 'Loading the verses', className: 'h-96' }}
            error="The verses could not be loaded."
          >
            {(rows) =>
              challenge ? (
                <Comparison challenge={challenge} verses={rows} />
              ) : (
                <p className="border border-dashed border-rule-strong p-6 text-muted">
                  This challenge was deleted. Go back to the challenges to open another one.
                </p>
              )
            }
          </QueryBoundary>
        )}
      </QueryBoundary>
    </>
  )
}

type ComparisonProps = { challenge: AdminChallenge; verses: readonly VerseSubmission[] }

/** Verses from this average up are candidates, besides those on the shortlist. */
const CANDIDATE_AVERAGE = 4

function Comparison({ challenge, verses }: ComparisonProps) {
  const { id, finalists } = challenge
  const byId = new Map(verses.map((verse) => [verse.id, verse]))
  const isEditable = areFinalistsEditable(challenge)
  const candidates = verses
    .filter(
      ({ isFinalist, shortlisted, averageRating }) =>
        !isFinalist && (shortlisted || (averageRating ?? 0) >= CANDIDATE_AVERAGE),
    )
    .toSorted((a, b) => (b.averageRating ?? 0) - (a.averageRating ?? 0))
  return (
    <div className="grid gap-12">
      <Panel title="Picked" note={limitsNote(challenge)}>
        {finalists.length === 0 ? (
          <div className="border border-dashed border-rule-strong p-6 text-muted">
            <p>No finalists yet. Pick them while you listen, or from the candidates below.</p>
            <ScreenLink screen="listening" params={{ id }} className={buttonClass('outline', 'mt-4')}>
              Listen
            </ScreenLink>
          </div>
        ) : (
          <ol className={COLUMNS}>
            {finalists.map(({ id: finalistId, name, submissionId }, index) => (
              <li key={finalistId} className={COLUMN}>
                <p className="tabular-figures font-display text-2xl text-gold">{String(index + 1).padStart(2, '0')}</p>
                <VerseColumn
                  title={name}
                  verse={submissionId === null ? undefined : byId.get(submissionId)}
                  challenge={challenge}
                />
              </li>
            ))}
          </ol>
        )}
        <ScreenLink
          screen="challengeSteps"
          params={{ id }}
          search={{ step: 'finalists' }}
          className={buttonClass('text', 'mt-4 -ml-3')}
        >
          Change names and order
        </ScreenLink>
      </Panel>
      {isEditable && (
        <Panel title="Candidates" note="Verses on the shortlist or rated 4 and more on average, best first.">
          {candidates.length === 0 ? (
            <p className="border border-dashed border-rule-strong p-6 text-muted">
              No candidates yet. Rate verses or put them on the shortlist, and they appear here.
            </p>
          ) : (
            <ul className={COLUMNS}>
              {candidates.map((verse) => (
                <li key={verse.id} className={COLUMN}>
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

const COLUMNS = 'grid gap-5 sm:grid-cols-[repeat(auto-fill,minmax(20rem,1fr))]'
const COLUMN = 'grid min-w-0 content-start gap-6 border border-rule bg-sleeve p-5'

function limitsNote(challenge: AdminChallenge): string {
  if (!areFinalistsEditable(challenge)) return 'Voting has begun, so the finalists can’t change.'
  const count = formatCountOf(challenge.finalists.length, 'finalist')
  return `${count}. Voting needs at least 2; there can be up to 20.${arePicksPublic(challenge) ? ` ${PICKS_ARE_PUBLIC}` : ''}`
}

type ColumnProps = {
  title: string
  /** Undefined without a verse, and after it was withdrawn. */
  verse: VerseSubmission | undefined
  challenge: AdminChallenge
}

function VerseColumn({ title, verse, challenge }: ColumnProps) {
  return (
    <>
      <header className="min-w-0">
        <h3 className="font-display text-xl wrap-anywhere">{title}</h3>
        {verse && (
          <>
            <p className="mt-2 text-sm text-muted wrap-anywhere">
              {verse.name !== title && `${verse.name} · `}
              {verse.email} · sent <span className="tabular-figures">{formatDateTime(verse.submittedAt)}</span>
            </p>
            <SubmissionSender submissionId={verse.id} name={title} />
          </>
        )}
      </header>
      {verse ? (
        <>
          {verse.hasRecording ? (
            <VersePlayer src={fillPath(adminChallengeApi.verseAudio.path, { id: verse.id })} name={title} />
          ) : (
            <p className="text-muted">This verse has no recording.</p>
          )}
          <AverageRating verse={verse} />
          <VerseRating verse={verse} />
          {verse.note && (
            <p className="border-l-2 border-rule-strong pl-4 text-sm whitespace-pre-line wrap-anywhere">{verse.note}</p>
          )}
          <FinalistControls verse={verse} challenge={challenge} />
        </>
      ) : (
        <p className="text-muted">This finalist has no verse here.</p>
      )}
    </>
  )
}
