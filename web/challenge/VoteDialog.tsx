import type { PublicChallenge } from '../../worker/contract/challenge'
import { ApiError, errorMessage } from '../api/call'
import { ConfirmDialog } from '../ui/ConfirmDialog'
import { toast } from '../ui/toast'
import { useCastBallot } from './challenge.queries'
import { showLoginRequired } from './login-required-toast'

type Props = { challengeId: string; finalist: PublicChallenge['finalists'][number]; onClose: () => void }

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
        showLoginRequired()
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
          {errorMessage(cast.error)}
        </p>
      )}
    </ConfirmDialog>
  )
}
