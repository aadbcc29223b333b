import '../styles/challenge.css'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { CurrentChallenge } from '../../worker/contract/challenge-now'
import { NotFoundPage } from '../layout/NotFoundPage'
import { useNow } from '../lib/useNow'
import { LoadError } from '../ui/LoadError'
import { Skeleton } from '../ui/Skeleton'
import { ChallengeHead } from './ChallengeHead'
import { ChallengePart } from './ChallengePart'
import { FinalistsPart } from './FinalistsPart'
import { LatestNote } from './LatestNote'
import { currentChallenge, oneChallenge } from './now.queries'
import { OtherChallenges } from './OtherChallenges'
import { OwnVersePart } from './OwnVersePart'
import { ResultPart } from './ResultPart'
import { SealPart } from './SealPart'
import { Stages } from './Stages'
import { VersePart } from './VersePart'

/** /challenge: the verse challenge that is on, or the last one, from its announcement to its counted result. */
export function ChallengePage() {
  return <Page found={useQuery(currentChallenge)} />
}

/** /challenge/{id}: the same of one challenge, which keeps this address when the next one is on. */
export function OneChallengePage() {
  const { id } = useParams({ from: '/challenge/$id' })
  const { data: latest } = useQuery(currentChallenge)
  return <Page found={useQuery(oneChallenge(id))} latest={latest?.id === id ? null : latest} />
}

type Props = {
  found: UseQueryResult<CurrentChallenge | null>
  /** Another one that /challenge shows meanwhile. */
  latest?: CurrentChallenge | null | undefined
}

function Page({ found, latest }: Props) {
  const { data: challenge, error, refetch, isFetching } = found
  if (challenge === null) return <NotFoundPage />
  return (
    <main id="content" tabIndex={-1} className="challenge">
      <div className="page-grid pt-10 pb-24 md:pt-16">
        {challenge ? (
          <>
            {latest && <LatestNote challenge={latest} />}
            <Whole challenge={challenge} />
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

function Whole({ challenge }: { challenge: CurrentChallenge }) {
  const { id, state, seal, results, rules, others } = challenge
  const now = useNow(15_000)
  return (
    <>
      <ChallengeHead challenge={challenge} now={now} />
      <Stages challenge={challenge} now={now} />
      <div className="challenge-main">
        {results && <ResultPart challenge={challenge} results={results} />}
        {state === 'submissions' && <VersePart challenge={challenge} />}
        {state === 'finalists' && <OwnVersePart challenge={challenge} />}
        {challenge.finalists.length > 0 && <FinalistsPart challenge={challenge} />}
        {seal && <SealPart id={id} seal={seal} results={results} />}
      </div>
      <aside aria-label="What counts" className="challenge-side">
        <ChallengePart title="The prize">
          <p className="text-lg text-balance">{challenge.prize}</p>
        </ChallengePart>
        <ChallengePart title="The rules" id="rules">
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
        </ChallengePart>
        {others.length > 0 && <OtherChallenges challenges={others} />}
      </aside>
    </>
  )
}
