import { clsx } from 'clsx'
import { useState } from 'react'
import type { AdminChallenge } from '../../worker/contract/admin-challenge'
import { errorMessage } from '../api/call'
import { calendarDate } from '../lib/format'
import { Button } from '../ui/Button'
import { ConfirmDialog } from '../ui/ConfirmDialog'
import { toast } from '../ui/toast'
import { useAdvanceStage, useFinalizeVotes } from './challenge-admin.queries'
import { hasEnoughFinalists, nextStageAction, STAGES, scheduledChange } from './challenge-admin-text'

/** Where a challenge stands, what happens by itself, and the way to make it happen now. */
export function StageStepper({ challenge }: { challenge: AdminChallenge }) {
  const { id, state } = challenge
  const currentIndex = STAGES.findIndex((stage) => stage.state === state)
  const step = nextStageAction(challenge)
  const [isConfirming, setConfirming] = useState(false)
  const move = useAdvanceStage(id)
  const finalize = useFinalizeVotes(id)
  const mutation = step?.act === 'seal' ? finalize : move
  const isReady = state !== 'finalists' || hasEnoughFinalists(challenge)
  const close = () => {
    setConfirming(false)
    mutation.reset()
  }
  const confirm = (done: string) => {
    if (mutation.isPending) return
    const callbacks = {
      onSuccess: () => {
        setConfirming(false)
        toast({ title: done })
      },
    }
    if (step?.act === 'seal') finalize.mutate(undefined, callbacks)
    else move.mutate(state, callbacks)
  }
  return (
    <div>
      <ol aria-label="Stages" className="stepper">
        {STAGES.map(({ state: stage, label }, index) => (
          <li
            key={stage}
            aria-current={index === currentIndex ? 'step' : undefined}
            data-passed={index <= currentIndex || undefined}
            className={clsx('stepper-stage font-label', index === currentIndex && 'text-gold-bright')}
          >
            {label}
          </li>
        ))}
      </ol>
      <div className="mt-6 flex flex-wrap items-center gap-x-8 gap-y-4">
        {step && (
          <Button variant="foil" aria-disabled={!isReady} onClick={() => isReady && setConfirming(true)}>
            {step.button}
          </Button>
        )}
        <p className="max-w-prose flex-1 basis-72">
          {isReady ? scheduledChange(challenge) : 'Name at least two finalists, then voting can open.'}
          {!isReady && (
            <span className="block">
              {challenge.opensByHand
                ? scheduledChange(challenge)
                : `Name them before ${calendarDate(challenge.votingFrom)}, or open the vote by hand afterwards.`}
            </span>
          )}
        </p>
      </div>
      {isConfirming && step && (
        <ConfirmDialog
          title={step.title}
          confirm={step.button}
          pending={mutation.isPending}
          onConfirm={() => confirm(step.done)}
          onClose={close}
        >
          {step.effects.map((effect) => (
            <p key={effect}>{effect}</p>
          ))}
          <p className="text-ivory">This cannot be undone.</p>
          {mutation.error && (
            <p role="alert" className="text-sunset">
              {errorMessage(mutation.error)}
            </p>
          )}
        </ConfirmDialog>
      )}
    </div>
  )
}
