import { useQuery } from '@tanstack/react-query'
import { ArrowRight, Check } from 'lucide-react'
import type { ScreenId } from '../../worker/contract/admin-screens'
import { type Setup, type SetupStepId, setupApi } from '../../worker/contract/setup'
import { call } from '../api/call'
import { Button } from '../ui/Button'
import { toast, toastError } from '../ui/toast'
import { adminQuery, useAdminMutation } from './admin.queries'
import { Panel } from './Panel'
import { ScreenLink } from './ScreenLink'

type SetupStep = { title: string; text: string; screen: ScreenId; action: string }

const SETUP_STEPS: Readonly<Record<SetupStepId, SetupStep>> = {
  name: {
    title: 'Your name',
    text: 'Name, city and one sentence for search engines.',
    screen: 'site',
    action: 'Write your texts',
  },
  artwork: {
    title: 'Your artwork',
    text: 'A wide and a tall hero picture instead of our golden disc.',
    screen: 'site',
    action: 'Upload pictures',
  },
  release: {
    title: 'First release',
    text: 'Add a track with its recording, then a release with a cover and a time.',
    screen: 'music',
    action: 'Add music',
  },
  show: {
    title: 'First show',
    text: 'Date, venue and picture. The calendar and alerts follow.',
    screen: 'concerts',
    action: 'Add a show',
  },
  payments: {
    title: 'Payments',
    text: 'Your operator adds your Stripe keys to the deployment. Until then nothing can be bought.',
    screen: 'system',
    action: 'Check the status',
  },
  email: {
    title: 'Email domain',
    text: 'Once the domain is set up for sending, write a broadcast and send yourself a test.',
    screen: 'email',
    action: 'Send a test',
  },
  team: {
    title: 'Your team',
    text: 'Invite a second person, with the role they need.',
    screen: 'team',
    action: 'Add a member',
  },
}

const setupQuery = adminQuery('setup', setupApi.setup)

/** The setup steps of a new site. Hidden once all are done, or the owner hides them. */
export function SetupPanel() {
  const { data } = useQuery(setupQuery)
  const setHidden = useAdminMutation(
    (isHidden: boolean) => call(setupApi.changeSetup, { body: { isHidden } }),
    ['setup'],
  )
  if (!data || data.isHidden || data.steps.every(({ isDone }) => isDone)) return null

  const show = () => setHidden.mutate(false, { onError: toastError('Not shown') })
  const hide = () =>
    setHidden.mutate(true, {
      onSuccess: () => toast({ title: 'First steps hidden', action: { label: 'Undo', onPress: show } }),
      onError: toastError('Not hidden'),
    })
  return <SetupStepList steps={data.steps} onHide={hide} />
}

function SetupStepList({ steps, onHide }: { steps: Setup['steps']; onHide: () => void }) {
  const doneCount = steps.filter(({ isDone }) => isDone).length
  return (
    <Panel title="First steps" note={`${doneCount} of ${steps.length} done. The list disappears when all are done.`}>
      <div aria-hidden="true" className="mb-5 h-1 bg-rule">
        <div className="h-1 bg-gold" style={{ width: `${(100 * doneCount) / steps.length}%` }} />
      </div>
      <ol className="grid gap-3 md:grid-cols-2 2xl:grid-cols-4">
        {steps.map(({ id, isDone }, index) => (
          <SetupStepCard key={id} step={SETUP_STEPS[id]} isDone={isDone} number={index + 1} />
        ))}
      </ol>
      <Button variant="text" className="mt-4 -ml-3" onClick={onHide}>
        Hide first steps
      </Button>
    </Panel>
  )
}

function SetupStepCard({ step, isDone, number }: { step: SetupStep; isDone: boolean; number: number }) {
  const { title, text, screen, action } = step
  return (
    <li className="flex gap-4 border border-rule bg-sleeve p-4">
      <p className="min-w-8 font-display text-2xl text-gold-bright" aria-hidden="true">
        {isDone ? <Check size={26} className="mt-1 text-bay" /> : number}
      </p>
      <div className="min-w-0 flex-1">
        <h3 className={isDone ? 'font-semibold text-muted' : 'font-semibold'}>
          {title}
          {isDone && <span className="sr-only">: done</span>}
        </h3>
        {!isDone && (
          <>
            <p className="mt-1 text-sm text-muted">{text}</p>
            <ScreenLink
              screen={screen}
              className="mt-1 inline-flex min-h-11 items-center gap-2 text-sm font-semibold text-gold hover:text-gold-bright"
            >
              {action}
              <ArrowRight size={16} aria-hidden />
            </ScreenLink>
          </>
        )}
      </div>
    </li>
  )
}
