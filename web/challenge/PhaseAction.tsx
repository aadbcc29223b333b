import { useState } from 'react'
import type { AdminChallenge } from '../../worker/contract/admin-challenge'
import { useScreenSearch } from '../admin/screen-location'
import { errorMessage } from '../api/call'
import { formatCalendarDate } from '../lib/format'
import { Button } from '../ui/Button'
import { ConfirmDialog } from '../ui/ConfirmDialog'
import { FormError } from '../ui/FormError'
import { toast } from '../ui/toast'
import { useAdvancePhase, useSealResult } from './challenge-admin.queries'
import { hasEnoughFinalists, nextPhaseAction } from './challenge-admin-text'

/** Button that ends the current phase by hand, after a confirmation. */
export function PhaseAction({ challenge }: { challenge: AdminChallenge }) {
  const { id, state } = challenge
  const action = nextPhaseAction(challenge)
  const [isConfirming, setIsConfirming] = useState(false)
  const [, setSearch] = useScreenSearch()
  const advance = useAdvancePhase(id)
  const seal = useSealResult(id)
  if (!action) return null
  const mutation = action.kind === 'seal' ? seal : advance
  const isReady = state !== 'finalists' || hasEnoughFinalists(challenge)
  const close = () => {
    setIsConfirming(false)
    mutation.reset()
  }
  const confirm = () => {
    if (mutation.isPending) return
    // `mutateAsync`, because the callbacks of `mutate` do not run after the next step has replaced this one.
    const change = action.kind === 'seal' ? seal.mutateAsync(undefined) : advance.mutateAsync(state)
    change.then(
      () => {
        setIsConfirming(false)
        // Without the parameter, the page shows the new current step.
        setSearch({ step: '' })
        toast({ title: action.toast })
      },
      // The dialog shows the error.
      () => undefined,
    )
  }
  return (
    <>
      <Button variant="primary" aria-disabled={!isReady} onClick={() => isReady && setIsConfirming(true)}>
        {action.button}
      </Button>
      {!isReady && (
        <p className="max-w-prose flex-1 basis-72 text-sm text-muted">
          <span>Name at least two finalists, then voting can open.</span>{' '}
          {!challenge.opensByHand &&
            `Name them before ${formatCalendarDate(challenge.votingFrom)}, or open voting by hand afterwards.`}
        </p>
      )}
      {isConfirming && (
        <ConfirmDialog
          title={action.title}
          confirmLabel={action.button}
          pending={mutation.isPending}
          onConfirm={confirm}
          onClose={close}
        >
          <p className="text-ivory">{challenge.title}</p>
          {action.effects.map((effect) => (
            <p key={effect}>{effect}</p>
          ))}
          <p className="text-ivory">This cannot be undone.</p>
          <FormError>{mutation.error && errorMessage(mutation.error)}</FormError>
        </ConfirmDialog>
      )}
    </>
  )
}
