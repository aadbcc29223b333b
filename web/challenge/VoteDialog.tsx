import type { CurrentChallenge } from '../../worker/contract/challenge-now'
import { ApiError } from '../api/call'
import { sentence } from '../auth/sentence'
import { ConfirmDialog } from '../ui/ConfirmDialog'
import { toast } from '../ui/toast'
import { askToLogIn } from './ask-to-log-in'
import { useCastBallot } from './now.queries'

type Props = { challengeId: string; finalist: CurrentChallenge['finalists'][number]; onClose: () => void }

/** Asks once more before the one vote is cast. */
export function VoteDialog({ challengeId, finalist, onClose }: Props) {
  const cast = useCastBallot(challengeId)
  const send = () =>
    !cast.isPending &&
    cast.mutate(finalist.id, {
      onSuccess: () => {
        toast({ title: 'Vote submitted!', text: `Your vote for ${finalist.name} counts.` })
        onClose()
      },
      onError: (error) => {
        if (!(error instanceof ApiError) || error.status !== 401) return
        askToLogIn()
        onClose()
      },
    })
  return (
    <ConfirmDialog
      title={`Vote for ${finalist.name}?`}
      confirm={`Vote for ${finalist.name}`}
      pending={cast.isPending}
      onConfirm={send}
      onClose={onClose}
    >
      <p>You have one vote in this challenge. It cannot be changed or taken back.</p>
      {cast.error && (
        <p role="alert" className="text-sunset">
          {sentence(cast.error)}
        </p>
      )}
    </ConfirmDialog>
  )
}
