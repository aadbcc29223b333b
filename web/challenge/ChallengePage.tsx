import '../styles/challenge.css'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { PublicChallenge } from '../../worker/contract/challenge'
import { NotFoundPage } from '../layout/ErrorPage'
import { useNow } from '../lib/useNow'
import { LoadError } from '../ui/LoadError'
import { Skeleton } from '../ui/Skeleton'
import { ChallengeHeader } from './ChallengeHeader'
import { ChallengePageSection } from './ChallengePageSection'
import { challengeById, currentChallenge } from './challenge.queries'
import { FinalistsSection } from './FinalistsSection'
import { LatestChallengeNotice } from './LatestChallengeNotice'
import { MyVerseSection } from './MyVerseSection'
import { OtherChallenges } from './OtherChallenges'
import { ResultSection } from './ResultSection'
import { Stages } from './Stages'
import { TallySection } from './TallySection'
import { VerseFormSection } from './VerseFormSection'

/** /challenge: the verse challenge that is on, or the last one, from its announcement to its counted result. */
export function ChallengePage() {
  return <ChallengeLayout query={useQuery(currentChallenge)} />
}

/** /challenge/{id}: the same of one challenge, which keeps this address when the next one is on. */
export function ChallengeByIdPage() {
  const { id } = useParams({ from: '/challenge/$id' })
  const { data: latest } = useQuery(currentChallenge)
  return <ChallengeLayout query={useQuery(challengeById(id))} latest={latest?.id === id ? null : latest} />
}

type Props = {
  query: UseQueryResult<PublicChallenge | null>
  /** Another one that /challenge shows meanwhile. */
  latest?: PublicChallenge | null | undefined
}

function ChallengeLayout({ query, latest }: Props) {
  const { data: challenge, error, refetch, isFetching } = query
  if (challenge === null) return <NotFoundPage />
  return (
    <main id="content" tabIndex={-1} className="challenge">
      <div className="page-grid pt-10 pb-24 md:pt-16">
        {challenge ? (
          <>
            {latest && <LatestChallengeNotice challenge={latest} />}
            <ChallengeContent challenge={challenge} />
          </>
        ) : error ? (
          <div className="col-span-full py-16">
            <LoadError onRetry={() => void refetch()} retrying={isFetching}>
              The challenge could not be fetched.
            </LoadError>
          </div>
        ) : (
          <Skeleton className="col-span-full h-[44rem]" label="Fetching the challenge" />
        )}
      </div>
    </main>
  )
}

function ChallengeContent({ challenge }: { challenge: PublicChallenge }) {
  const { id, state, seal, results, rules, others } = challenge
  const now = useNow(15_000)
  return (
    <>
      <ChallengeHeader challenge={challenge} now={now} />
      <Stages challenge={challenge} now={now} />
      <div className="challenge-main">
        {results && <ResultSection challenge={challenge} results={results} />}
        {state === 'submissions' && <VerseFormSection challenge={challenge} />}
        {state === 'finalists' && <MyVerseSection challenge={challenge} />}
        {challenge.finalists.length > 0 && <FinalistsSection challenge={challenge} />}
        {seal && <TallySection id={id} seal={seal} results={results} />}
      </div>
      <aside aria-label="What counts" className="challenge-side">
        <ChallengePageSection title="The prize">
          <p className="text-lg text-balance">{challenge.prize}</p>
        </ChallengePageSection>
        <ChallengePageSection title="The rules" id="rules">
          {rules === '' ? (
            <p className="text-muted">One verse a person, and one vote a supporter.</p>
          ) : (
            <div className="grid max-w-prose gap-4">
              {rules.split(/\n\s*\n/).map((paragraph) => (
                <p key={paragraph} className="whitespace-pre-line wrap-anywhere">
                  {paragraph}
                </p>
              ))}
            </div>
          )}
        </ChallengePageSection>
        {others.length > 0 && <OtherChallenges challenges={others} />}
      </aside>
    </>
  )
}
