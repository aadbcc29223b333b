import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { MyChallenge, PublicChallenge } from '../../worker/contract/challenge'
import { useMe, useSession } from '../auth/auth.queries'
import { useLocalDay } from '../lib/local-day'
import { Button } from '../ui/Button'
import { ConfirmDialog } from '../ui/ConfirmDialog'
import { Skeleton } from '../ui/Skeleton'
import { toast, toastError } from '../ui/toast'
import { ChallengePageSection } from './ChallengePageSection'
import { myChallenge, useWithdrawMyVerse } from './challenge.queries'
import { VerseForm } from './VerseForm'

/** After submissions close: the caller's verse or, without one, a notice until there are finalists. */
export function MyVerseSection({ challenge }: { challenge: PublicChallenge }) {
  const me = useMe()
  const { data } = useQuery({ ...myChallenge(challenge.id), enabled: Boolean(me) })
  if (!me || !data?.verse)
    return challenge.finalists.length > 0 ? null : (
      <ChallengePageSection title="Submissions are closed">
        <p className="max-w-prose text-lg">
          Thank you to everyone who sent one. The team is listening to all of them; the finalists will play here.
        </p>
      </ChallengePageSection>
    )
  return (
    <ChallengePageSection title="Your verse">
      <MyVerse challenge={challenge} verse={data.verse} sentFrom={null} />
    </ChallengePageSection>
  )
}

type Props = {
  challenge: PublicChallenge
  verse: NonNullable<MyChallenge['verse']>
  /** Email address with which the verse was just submitted; null for a verse of an earlier visit. */
  sentFrom: string | null
  onWithdrawn?: () => void
}

/** The caller's verse and the withdraw button. */
function MyVerse({ challenge, verse, sentFrom, onWithdrawn }: Props) {
  const [isConfirming, setIsConfirming] = useState(false)
  const withdraw = useWithdrawMyVerse(challenge.id)
  const day = useLocalDay(verse.submittedAt)
  return (
    <div role="status" className="callout">
      <p className="font-display text-2xl">{verse.isFinalist ? 'You are a finalist' : 'Your verse is in'}</p>
      <p className="mt-3 max-w-prose wrap-anywhere">
        Sent as <strong className="font-semibold">{verse.name}</strong> on{' '}
        <time dateTime={verse.submittedAt} className="tabular-figures">
          {day}
        </time>
        . {verseStatusText(verse, sentFrom)}
      </p>
      {verse.canWithdraw && (
        <Button className="mt-6" onClick={() => setIsConfirming(true)}>
          Withdraw it
        </Button>
      )}
      {isConfirming && (
        <ConfirmDialog
          title="Withdraw your verse?"
          confirmLabel="Withdraw it"
          pending={withdraw.isPending}
          onConfirm={() =>
            withdraw.mutate(undefined, {
              onSuccess: () => {
                onWithdrawn?.()
                toast({ title: 'Verse withdrawn', text: 'Your verse and its recording are deleted.' })
              },
              onError: toastError('Not withdrawn'),
              onSettled: () => setIsConfirming(false),
            })
          }
          onClose={() => setIsConfirming(false)}
        >
          <p>We delete the recording and everything you entered. This cannot be undone.</p>
          {challenge.state === 'submissions' && <p>You can enter another verse until submissions close.</p>}
        </ConfirmDialog>
      )}
    </div>
  )
}

function verseStatusText({ isConfirmed, isFinalist }: Props['verse'], sentFrom: string | null): string {
  if (!isConfirmed)
    return `Please confirm it with the link in the email${sentFrom ? ` to ${sentFrom}` : ''}. It counts once you do.`
  if (sentFrom) return `We also emailed ${sentFrom}.`
  return isFinalist
    ? 'Your recording is in the list below. Tell your friends to vote once voting opens.'
    : 'Your verse stays private unless you become a finalist.'
}

/** While submissions are open: the form, its confirmation, or the caller's verse. */
export function VerseFormSection({ challenge }: { challenge: PublicChallenge }) {
  const { me, isPending } = useSession()
  const myChallengeQuery = useQuery({ ...myChallenge(challenge.id), enabled: Boolean(me) })
  const [sentFrom, setSentFrom] = useState<string | null>(null)
  const isLoading = isPending || (Boolean(me) && myChallengeQuery.isPending)
  const content = () => {
    if (isLoading) return <Skeleton className="h-96" label="Loading your verse" />
    if (me && myChallengeQuery.data?.verse)
      return (
        <MyVerse
          challenge={challenge}
          verse={myChallengeQuery.data.verse}
          sentFrom={sentFrom}
          onWithdrawn={() => setSentFrom(null)}
        />
      )
    if (sentFrom)
      return (
        <div role="status" className="callout">
          <p className="font-display text-2xl">Your verse is in</p>
          <p className="mt-3 max-w-prose wrap-anywhere">
            Thank you. Please confirm it with the link in the email to{' '}
            <strong className="font-semibold">{sentFrom}</strong>: until then it does not count. Nothing of it is public
            unless you are named a finalist.
          </p>
        </div>
      )
    // Shown even if the caller's verse fails to load, because the server rejects a second verse.
    return <VerseForm challenge={challenge} email={me?.email ?? ''} onSent={setSentFrom} />
  }
  return <ChallengePageSection title="Send your verse">{content()}</ChallengePageSection>
}
