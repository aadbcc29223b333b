import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import type { AdminChallenge } from '../../worker/contract/admin-challenge'
import { ScreenLink } from '../admin/ScreenLink'
import {
  CHALLENGE_STEPS,
  type ChallengeStepId,
  describeCurrentStep,
  describeFutureStep,
  describePastStep,
  stepStatus,
} from './challenge-steps'

const STATUS_LABELS = { past: 'Done', current: 'Now', future: 'Later' } as const

type ProgressProps = {
  challenge: AdminChallenge
  /** The selected step. */
  openStep?: ChallengeStepId
}

/** The steps of a challenge; each links to its description. */
export function ChallengeProgress({ challenge, openStep }: ProgressProps) {
  return (
    <nav aria-label="Steps">
      <ol className="grid grid-cols-2 gap-x-1 gap-y-3 sm:grid-cols-4 xl:grid-cols-7">
        {CHALLENGE_STEPS.map(({ id, label }, index) => {
          const status = stepStatus(challenge, id)
          const isOpen = id === openStep
          return (
            <li key={id} aria-current={status === 'current' ? 'step' : undefined}>
              <ScreenLink
                screen="challengeSteps"
                params={{ id: challenge.id }}
                search={{ step: id }}
                aria-current={isOpen ? 'page' : undefined}
                className={clsx(
                  'block h-full min-h-16 border-t-4 px-3 py-2.5 transition duration-200 ease-out hover:bg-sleeve-high',
                  status === 'future' ? 'border-rule-strong' : 'border-gold',
                  isOpen && 'bg-sleeve',
                )}
              >
                <span className={clsx('block text-sm', status === 'current' ? 'text-gold' : 'text-muted')}>
                  <span className="tabular-figures">{index + 1}</span> · {STATUS_LABELS[status]}
                </span>
                <span
                  className={clsx(
                    'mt-1 block font-label',
                    { past: 'text-ivory', current: 'text-gold-bright', future: 'text-muted' }[status],
                  )}
                >
                  {label}
                </span>
              </ScreenLink>
            </li>
          )
        })}
      </ol>
    </nav>
  )
}

type StepTextProps = {
  challenge: AdminChallenge
  step: ChallengeStepId
  /** Buttons below the text of the current step. */
  children?: ReactNode
}

/** The result of a past step, the state of the current one, or what will happen in a future one. */
export function StepText({ challenge, step, children }: StepTextProps) {
  const status = stepStatus(challenge, step)
  if (status === 'past') return <p className="max-w-prose text-muted">{describePastStep(challenge, step)}</p>
  if (step !== 'dates' && status === 'future') {
    const { what, when } = describeFutureStep(challenge, step)
    return (
      <DetailList
        details={[
          ['What will happen', what],
          ['When', when],
        ]}
      />
    )
  }
  const { what, when, actions } = describeCurrentStep(challenge)
  return (
    <div className="border-l-4 border-gold bg-sleeve p-5 md:p-6">
      <DetailList
        details={[
          ['What happens next', what],
          ['When', when],
          ['What you can do now', actions],
        ]}
      />
      {children && <div className="mt-6 flex flex-wrap items-center gap-x-6 gap-y-4">{children}</div>}
    </div>
  )
}

const DetailList = ({ details }: { details: readonly (readonly [string, string])[] }) => (
  <dl className="grid max-w-4xl gap-y-4">
    {details.map(([term, text]) => (
      <div key={term} className="grid gap-x-6 gap-y-1 sm:grid-cols-[12rem_1fr]">
        <dt className="font-label leading-6 text-gold">{term}</dt>
        <dd className="max-w-prose leading-6">{text}</dd>
      </div>
    ))}
  </dl>
)
