import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { CurrentChallenge, MyChallenge } from '../../worker/contract/challenge-now'
import { useMe } from '../auth/auth.queries'
import { askToLogIn } from './ask-to-log-in'
import { BallotStub } from './BallotStub'
import { ChallengePart } from './ChallengePart'
import { FinalistCard } from './FinalistCard'
import { myChallenge } from './now.queries'
import { VoteDialog } from './VoteDialog'
import { VoteNote } from './VoteNote'

type Finalist = CurrentChallenge['finalists'][number]

/** The finalists with their recordings; while they are voted on, the vote, and afterwards the own ballot. */
export function FinalistsPart({ challenge }: { challenge: CurrentChallenge }) {
  const { state, finalists, results } = challenge
  const me = useMe()
  const mine = useQuery({ ...myChallenge(challenge.id), enabled: Boolean(me) })
  const own: MyChallenge | undefined = me ? mine.data : undefined
  const ballot = own?.ballot ?? null
  const [chosen, setChosen] = useState<Finalist | null>(null)
  const isLost = own?.isRekeyed === true && !ballot
  const mayChoose = state === 'voting' && !ballot && !isLost
  const isHeard = finalists.some(({ audioUrl }) => audioUrl !== null)
  // Decided and silent: the bars above have said everything.
  if (results && !isHeard && !ballot && !isLost) return null
  const nameOf = (id: string) => finalists.find((one) => one.id === id)?.name ?? ''
  return (
    <ChallengePart title={state === 'voting' ? 'Listen and vote' : 'The finalists'} id="vote">
      {ballot && <BallotStub ballot={ballot} name={nameOf(ballot.finalistId)} state={state} />}
      {isLost && (
        <p className="max-w-prose border border-rule-strong p-5">
          Your ballot cannot be looked up any more; search for the pseudonym you copied.
          {state === 'voting' && ' If you have not voted yet, please write to us: no vote is taken at the moment.'}
        </p>
      )}
      {mayChoose && <VoteNote challengeId={challenge.id} me={me} isVerified={own?.emailVerified} />}
      {(!results || isHeard) && (
        <ol className="finalists">
          {finalists.map((finalist, at) => (
            <FinalistCard
              key={finalist.id}
              finalist={finalist}
              place={at + 1}
              isOwn={ballot?.finalistId === finalist.id}
              onVote={mayChoose ? () => (me ? setChosen(finalist) : askToLogIn()) : undefined}
            />
          ))}
        </ol>
      )}
      {chosen && <VoteDialog challengeId={challenge.id} finalist={chosen} onClose={() => setChosen(null)} />}
    </ChallengePart>
  )
}
