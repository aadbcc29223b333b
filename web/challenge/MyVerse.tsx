import { useState } from 'react'
import type { MyChallenge, PublicChallenge } from '../../worker/contract/challenge'
import { useLocalDay } from '../lib/local-day'
import { Button } from '../ui/Button'
import { ConfirmDialog } from '../ui/ConfirmDialog'
import { toast } from '../ui/toast'
import { useWithdrawMyVerse } from './challenge.queries'

type Props = {
  challenge: PublicChallenge
  verse: NonNullable<MyChallenge['verse']>
  /** The address that it was sent from just now; null where that is longer ago. */
  sentFrom: string | null
  onWithdrawn?: () => void
}

/** The verse that one has sent, and the way to take it back. */
export function MyVerse({ challenge, verse, sentFrom, onWithdrawn }: Props) {
  const [isConfirming, setConfirming] = useState(false)
  const withdraw = useWithdrawMyVerse(challenge.id)
  const day = useLocalDay(verse.submittedAt)
  return (
    <div role="status" className="challenge-done">
      <p className="font-display text-2xl">{verse.isFinalist ? 'You are a finalist' : 'Your verse is in'}</p>
      <p className="mt-3 max-w-prose wrap-anywhere">
        Sent as <strong className="font-semibold">{verse.name}</strong> on{' '}
        <time dateTime={verse.submittedAt} className="figures">
          {day}
        </time>
        .{' '}
        {sentFrom
          ? `A mail to ${sentFrom} says so too.`
          : verse.isFinalist
            ? 'Your recording plays below. Tell your people to vote.'
            : 'Nothing of it is public unless you are named a finalist.'}
      </p>
      {verse.canWithdraw && (
        <Button className="mt-6" onClick={() => setConfirming(true)}>
          Take it back
        </Button>
      )}
      {isConfirming && (
        <ConfirmDialog
          title="Take your verse back?"
          confirm="Take it back"
          pending={withdraw.isPending}
          onConfirm={() =>
            withdraw.mutate(undefined, {
              onSuccess: () => {
                onWithdrawn?.()
                toast({ title: 'Taken back', text: 'Your verse and its recording are deleted.' })
              },
              onError: ({ message }) => toast({ title: 'Not taken back', text: message, tone: 'destructive' }),
              onSettled: () => setConfirming(false),
            })
          }
          onClose={() => setConfirming(false)}
        >
          <p>The recording and everything you typed are deleted. This cannot be undone.</p>
          {challenge.state === 'submissions' && <p>While verses are taken you can send another one.</p>}
        </ConfirmDialog>
      )}
    </div>
  )
}
