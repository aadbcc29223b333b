import '../styles/community.css'
import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { Tabs } from 'radix-ui'
import { useState } from 'react'
import type { AdminChallenge } from '../../worker/contract/admin-challenge'
import { AdminTabList } from '../admin/AdminTabList'
import { Panel } from '../admin/Panel'
import { errorMessage } from '../api/call'
import { calendarDate, formatCount } from '../lib/format'
import { Button, buttonClass } from '../ui/Button'
import { ConfirmDialog } from '../ui/ConfirmDialog'
import { toast } from '../ui/toast'
import { useAdvanceStage, useFinalizeVotes } from './challenge-admin.queries'
import { hasEnoughFinalists, nextStageAction, STAGES, scheduledChange } from './challenge-admin-text'
import { FinalistsEditor } from './FinalistsEditor'
import { VotesReview } from './FlaggedBallots'
import { SubmissionsTable } from './SubmissionsTable'

/** The tab to open in each state. */
const INITIAL_TAB = {
  announced: 'verses',
  submissions: 'verses',
  finalists: 'verses',
  voting: 'votes',
  closed: 'votes',
  published: 'votes',
} as const

export function ChallengeManager({ challenge }: { challenge: AdminChallenge }) {
  const [openId, setOpenId] = useState<string>(INITIAL_TAB[challenge.state])
  const tabs = [
    { id: 'verses', label: 'Verses', count: challenge.submissions },
    { id: 'finalists', label: 'Finalists', count: challenge.finalists.length },
    { id: 'votes', label: 'Votes', count: challenge.votes },
  ].map(({ id, label, count }) => ({
    id,
    label: (
      <>
        {label} <span className="tabular-figures">{formatCount(count)}</span>
      </>
    ),
  }))
  return (
    <Panel title={challenge.title} note={challenge.prize}>
      <StageStepper challenge={challenge} />
      <Link to="/challenge/$id" params={{ id: challenge.id }} className={buttonClass('text', 'mt-2 -ml-3')}>
        The public page
      </Link>
      <Tabs.Root value={openId} onValueChange={setOpenId} activationMode="manual" className="mt-6">
        <AdminTabList label={challenge.title} tabs={tabs} openId={openId} />
        <Tabs.Content value="verses">
          <SubmissionsTable challenge={challenge} />
        </Tabs.Content>
        <Tabs.Content value="finalists">
          <FinalistsEditor challenge={challenge} />
        </Tabs.Content>
        <Tabs.Content value="votes">
          <VotesReview challenge={challenge} />
        </Tabs.Content>
      </Tabs.Root>
    </Panel>
  )
}

/** The state of a challenge, its next scheduled change, and the button that triggers it now. */
function StageStepper({ challenge }: { challenge: AdminChallenge }) {
  const { id, state } = challenge
  const currentIndex = STAGES.findIndex((stage) => stage.state === state)
  const action = nextStageAction(challenge)
  const [isConfirming, setConfirming] = useState(false)
  const advance = useAdvanceStage(id)
  const finalize = useFinalizeVotes(id)
  const mutation = action?.kind === 'finalize' ? finalize : advance
  const isReady = state !== 'finalists' || hasEnoughFinalists(challenge)
  const close = () => {
    setConfirming(false)
    mutation.reset()
  }
  const confirm = (toastTitle: string) => {
    if (mutation.isPending) return
    const callbacks = {
      onSuccess: () => {
        setConfirming(false)
        toast({ title: toastTitle })
      },
    }
    if (action?.kind === 'finalize') finalize.mutate(undefined, callbacks)
    else advance.mutate(state, callbacks)
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
        {action && (
          <Button variant="primary" aria-disabled={!isReady} onClick={() => isReady && setConfirming(true)}>
            {action.button}
          </Button>
        )}
        <p className="max-w-prose flex-1 basis-72">
          {isReady ? scheduledChange(challenge) : 'Name at least two finalists, then voting can open.'}
          {!isReady && (
            <span className="block">
              {challenge.opensByHand
                ? scheduledChange(challenge)
                : `Name them before ${calendarDate(challenge.votingFrom)}, or open voting by hand afterwards.`}
            </span>
          )}
        </p>
      </div>
      {isConfirming && action && (
        <ConfirmDialog
          title={action.title}
          confirm={action.button}
          pending={mutation.isPending}
          onConfirm={() => confirm(action.toast)}
          onClose={close}
        >
          {action.effects.map((effect) => (
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
