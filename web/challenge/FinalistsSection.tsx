import { useQuery } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { useState } from 'react'
import type { Me } from '../../worker/contract/auth'
import type { ChallengeState, MyBallot, MyChallenge, PublicChallenge } from '../../worker/contract/challenge'
import { errorMessage, hasStatus } from '../api/call'
import { useMe } from '../auth/auth.queries'
import { ConfirmEmailNotice } from '../auth/ConfirmEmailNotice'
import { requestSignUp } from '../auth/pending-choice'
import { SignUpOrLogin } from '../auth/SignUpOrLogin'
import { useLocalDay } from '../lib/local-day'
import { Button } from '../ui/Button'
import { ConfirmDialog } from '../ui/ConfirmDialog'
import { FormError } from '../ui/FormError'
import { toast } from '../ui/toast'
import { ChallengePageSection } from './ChallengePageSection'
import { CopyText } from './CopyText'
import { myChallenge, useCastBallot } from './challenge.queries'
import { VersePlayer } from './VersePlayer'

type Finalist = PublicChallenge['finalists'][number]

/** The finalists with recordings and, depending on the state, vote buttons or the caller's ballot. */
export function FinalistsSection({ challenge }: { challenge: PublicChallenge }) {
  const { state, finalists, results } = challenge
  const me = useMe()
  const myChallengeQuery = useQuery({ ...myChallenge(challenge.id), enabled: Boolean(me) })
  const myChallengeData: MyChallenge | undefined = me ? myChallengeQuery.data : undefined
  const ballot = myChallengeData?.ballot ?? null
  const [chosen, setChosen] = useState<Finalist | null>(null)
  const isBallotUnavailable = myChallengeData?.isRekeyed === true && !ballot
  const canVote = state === 'voting' && !ballot && !isBallotUnavailable
  const hasAudio = finalists.some(({ audioUrl }) => audioUrl !== null)
  // The results above already name the finalists.
  if (results && !hasAudio && !ballot && !isBallotUnavailable) return null
  const voteFor = (finalist: Finalist) => (me ? setChosen(finalist) : requestSignUpForBallot(challenge.id, finalist))
  const finalistName = (id: string) => finalists.find((candidate) => candidate.id === id)?.name ?? ''
  return (
    <ChallengePageSection title={state === 'voting' ? 'Listen and vote' : 'The finalists'} id="vote">
      {ballot && <BallotReceipt ballot={ballot} name={finalistName(ballot.finalistId)} state={state} />}
      {isBallotUnavailable && (
        <p className="max-w-prose border border-rule-strong p-5">
          We can no longer look up your ballot. You find it in the public tally by the pseudonym that you copied.
          {state === 'voting' && ' If you have not voted yet, please write to us. Votes cannot be cast right now.'}
        </p>
      )}
      {canVote && <VoteRequirements challengeId={challenge.id} me={me} isConfirmed={myChallengeData?.emailVerified} />}
      {(!results || hasAudio) && (
        <ol className="finalists">
          {finalists.map((finalist, index) => (
            <FinalistCard
              key={finalist.id}
              finalist={finalist}
              position={index + 1}
              isMyVote={ballot?.finalistId === finalist.id}
              onVote={canVote ? () => voteFor(finalist) : undefined}
            />
          ))}
        </ol>
      )}
      {chosen && <VoteDialog challengeId={challenge.id} finalist={chosen} onClose={() => setChosen(null)} />}
    </ChallengePageSection>
  )
}

type Props = {
  finalist: Finalist
  /** Position in the list, from 1. */
  position: number
  isMyVote: boolean
  /** Undefined when voting is not possible. */
  onVote?: () => void
}

function FinalistCard({ finalist: { name, audioUrl }, position, isMyVote, onVote }: Props) {
  return (
    <li className="finalist" data-my-vote={isMyVote || undefined}>
      <span aria-hidden="true" className="tabular-figures finalist-place font-display">
        {String(position).padStart(2, '0')}
      </span>
      <div className="min-w-0">
        <h3 className="font-display text-xl wrap-anywhere">{name}</h3>
        {isMyVote && (
          <p className="mt-1 flex items-center gap-2 text-sm text-gold-bright">
            <Check size={18} aria-hidden />
            Your vote
          </p>
        )}
      </div>
      {onVote && (
        <Button variant="primary" className="finalist-vote" aria-label={`Vote for ${name}`} onClick={onVote}>
          Vote
        </Button>
      )}
      {audioUrl ? (
        <VersePlayer src={audioUrl} name={name} />
      ) : (
        <p className="verse-player text-sm text-muted">This verse has no recording.</p>
      )}
    </li>
  )
}

type VoteDialogProps = { challengeId: string; finalist: Finalist; onClose: () => void }

function VoteDialog({ challengeId, finalist, onClose }: VoteDialogProps) {
  const cast = useCastBallot(challengeId)
  const confirm = () =>
    !cast.isPending &&
    cast.mutate(finalist.id, {
      onSuccess: () => {
        toast({ title: 'Vote submitted!', text: `Your vote for ${finalist.name} counts.` })
        onClose()
      },
      onError: (error) => {
        if (!hasStatus(error, 401)) return
        requestSignUpForBallot(challengeId, finalist)
        onClose()
      },
    })
  return (
    <ConfirmDialog
      title={`Vote for ${finalist.name}?`}
      confirmLabel={`Vote for ${finalist.name}`}
      pending={cast.isPending}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>You have one vote in this challenge. It cannot be changed or taken back.</p>
      <FormError>{cast.error && errorMessage(cast.error)}</FormError>
    </ConfirmDialog>
  )
}

const requestSignUpForBallot = (challengeId: string, { id, name }: Finalist) =>
  requestSignUp({ kind: 'ballot', challengeId, finalistId: id, title: name })

type VoteRequirementsProps = {
  challengeId: string
  /** Null for a visitor, undefined while loading. */
  me: Me | null | undefined
  isConfirmed: boolean | undefined
}

/** What the caller still has to do before voting. */
function VoteRequirements({ challengeId, me, isConfirmed }: VoteRequirementsProps) {
  // Names the challenge, because /challenge may show another one after the login.
  const returnPath = `/challenge/${challengeId}#vote`
  if (me === null)
    return (
      <div className="callout callout-neutral">
        <p className="max-w-prose">Log in or sign up to vote. It is free, and you have one vote.</p>
        <SignUpOrLogin back={returnPath} />
      </div>
    )
  if (me && isConfirmed === false)
    return <ConfirmEmailNotice email={me.email}>Please confirm your email first. Then you can vote.</ConfirmEmailNotice>
  return (
    <p className="max-w-prose text-muted">Listen to all of them first. You have one vote, and you can’t change it.</p>
  )
}

type BallotReceiptProps = { ballot: MyBallot; name: string; state: ChallengeState }

/** The caller's own ballot with its pseudonym. */
function BallotReceipt({ ballot, name, state }: BallotReceiptProps) {
  const day = useLocalDay(ballot.castAt)
  return (
    <section aria-label="Your ballot" className="challenge-ticket">
      <div>
        <p className="font-label text-gold">Your ballot</p>
        <p className="mt-2 font-display text-xl wrap-anywhere">{name}</p>
        <p className="tabular-figures mt-1 text-sm text-muted">
          Cast on <time dateTime={ballot.castAt}>{day}</time>
        </p>
      </div>
      <div className="min-w-0">
        <CopyText label="Your pseudonym" text={ballot.pseudonym} />
        <p className="mt-3 max-w-prose text-sm text-muted">
          {state === 'published'
            ? 'Find it in the tally to see your vote counted. No one else can tell it is yours.'
            : 'When the result is out, find this pseudonym in the public tally to see your vote counted. No one else can tell it is yours.'}
        </p>
      </div>
    </section>
  )
}
