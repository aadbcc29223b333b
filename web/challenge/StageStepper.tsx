import { clsx } from 'clsx'
import { useState } from 'react'
import type { DeskChallenge } from '../../worker/contract/challenge-desk'
import { sentence } from '../auth/sentence'
import { calendarDate } from '../lib/calendar-date'
import { Button } from '../ui/Button'
import { ConfirmDialog } from '../ui/ConfirmDialog'
import { toast } from '../ui/toast'
import { useMoveOn, useSeal } from './desk.queries'
import { byItself, hasEnough, nextStep, STAGES } from './desk-words'

/** Where a challenge stands, what happens by itself, and the way to make it happen now. */
export function StageStepper({ challenge }: { challenge: DeskChallenge }) {
  const { id, state } = challenge
  const at = STAGES.findIndex((stage) => stage.state === state)
  const step = nextStep(challenge)
  const [asks, setAsks] = useState(false)
  const move = useMoveOn(id)
  const seal = useSeal(id)
  const act = step?.act === 'seal' ? seal : move
  const isReady = state !== 'finalists' || hasEnough(challenge)
  const close = () => {
    setAsks(false)
    act.reset()
  }
  const go = (done: string) => {
    if (act.isPending) return
    const said = {
      onSuccess: () => {
        setAsks(false)
        toast({ title: done })
      },
    }
    if (step?.act === 'seal') seal.mutate(undefined, said)
    else move.mutate(state, said)
  }
  return (
    <div>
      <ol aria-label="Stages" className="stepper">
        {STAGES.map(({ state: stage, label }, place) => (
          <li
            key={stage}
            aria-current={place === at ? 'step' : undefined}
            data-passed={place <= at || undefined}
            className={clsx('stepper-stage font-label', place === at && 'text-gold-bright')}
          >
            {label}
          </li>
        ))}
      </ol>
      <div className="mt-6 flex flex-wrap items-center gap-x-8 gap-y-4">
        {step && (
          <Button look="foil" aria-disabled={!isReady} onClick={() => isReady && setAsks(true)}>
            {step.button}
          </Button>
        )}
        <p className="max-w-prose flex-1 basis-72">
          {isReady ? byItself(challenge) : 'Name at least two finalists, then voting can open.'}
          {!isReady && (
            <span className="block">
              {challenge.opensByHand
                ? byItself(challenge)
                : `Name them before ${calendarDate(challenge.votingFrom)}, or open the vote by hand afterwards.`}
            </span>
          )}
        </p>
      </div>
      {asks && step && (
        <ConfirmDialog
          title={step.title}
          confirm={step.button}
          pending={act.isPending}
          onConfirm={() => go(step.done)}
          onClose={close}
        >
          {step.effects.map((words) => (
            <p key={words}>{words}</p>
          ))}
          <p className="text-ivory">This cannot be undone.</p>
          {act.error && (
            <p role="alert" className="text-sunset">
              {sentence(act.error)}
            </p>
          )}
        </ConfirmDialog>
      )}
    </div>
  )
}
