import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { MyChallenge, PublicChallenge } from '../../worker/contract/challenge'
import { useMe } from '../auth/auth.queries'
import { BallotReceipt } from './BallotReceipt'
import { ChallengePageSection } from './ChallengePageSection'
import { myChallenge } from './challenge.queries'
import { FinalistCard } from './FinalistCard'
import { showLoginRequired } from './login-required-toast'
import { VoteDialog } from './VoteDialog'
import { VoteRequirements } from './VoteRequirements'

type Finalist = PublicChallenge['finalists'][number]

/** The finalists with their recordings; while they are voted on, the vote, and afterwards the own ballot. */
export function FinalistsSection({ challenge }: { challenge: PublicChallenge }) {
  const { state, finalists, results } = challenge
  const me = useMe()
  const myChallengeQuery = useQuery({ ...myChallenge(challenge.id), enabled: Boolean(me) })
  const myEntry: MyChallenge | undefined = me ? myChallengeQuery.data : undefined
  const ballot = myEntry?.ballot ?? null
  const [chosen, setChosen] = useState<Finalist | null>(null)
  const isBallotLost = myEntry?.isRekeyed === true && !ballot
  const canVote = state === 'voting' && !ballot && !isBallotLost
  const hasAudio = finalists.some(({ audioUrl }) => audioUrl !== null)
  // Decided and silent: the bars above have said everything.
  if (results && !hasAudio && !ballot && !isBallotLost) return null
  const finalistName = (id: string) => finalists.find((candidate) => candidate.id === id)?.name ?? ''
  return (
    <ChallengePageSection title={state === 'voting' ? 'Listen and vote' : 'The finalists'} id="vote">
      {ballot && <BallotReceipt ballot={ballot} name={finalistName(ballot.finalistId)} state={state} />}
      {isBallotLost && (
        <p className="max-w-prose border border-rule-strong p-5">
          Your ballot cannot be looked up any more; search for the pseudonym you copied.
          {state === 'voting' && ' If you have not voted yet, please write to us: no vote is taken at the moment.'}
        </p>
      )}
      {canVote && <VoteRequirements challengeId={challenge.id} me={me} isVerified={myEntry?.emailVerified} />}
      {(!results || hasAudio) && (
        <ol className="finalists">
          {finalists.map((finalist, index) => (
            <FinalistCard
              key={finalist.id}
              finalist={finalist}
              position={index + 1}
              isMyVote={ballot?.finalistId === finalist.id}
              onVote={canVote ? () => (me ? setChosen(finalist) : showLoginRequired()) : undefined}
            />
          ))}
        </ol>
      )}
      {chosen && <VoteDialog challengeId={challenge.id} finalist={chosen} onClose={() => setChosen(null)} />}
    </ChallengePageSection>
  )
}
