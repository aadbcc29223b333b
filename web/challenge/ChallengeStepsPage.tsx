import '../styles/community.css'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { AdminChallenge } from '../../worker/contract/admin-challenge'
import { MetricCard } from '../admin/MetricCard'
import { Panel } from '../admin/Panel'
import { RecordHeader } from '../admin/RecordHeader'
import { ScreenLink } from '../admin/ScreenLink'
import { toScreen, useScreenParam, useScreenSearch } from '../admin/screen-location'
import { formatCount } from '../lib/format'
import { buttonClass } from '../ui/Button'
import { EmptyNotice } from '../ui/EmptyNotice'
import { QueryBoundary } from '../ui/QueryBoundary'
import { ChallengeForm, NewChallengeForm } from './ChallengeForm'
import { ChallengeProgress, StepText } from './ChallengeProgress'
import { adminChallenges } from './challenge-admin.queries'
import { CHALLENGE_STEPS, type ChallengeStepId, currentStep, stepStatus } from './challenge-steps'
import { FinalistsEditor } from './FinalistsEditor'
import { PhaseAction } from './PhaseAction'
import { SubmissionsTable } from './SubmissionsTable'
import { RekeyedAlert, VotesReview } from './VotesReview'
import { listeningQueue } from './verse-ratings.queries'

/** /admin/challenge/$id: a challenge step by step, from its dates to its result; `new` announces one. */
export function ChallengeStepsPage() {
  const id = useScreenParam('id')
  const query = useQuery({ ...adminChallenges, refetchInterval: 30_000 })
  const navigate = useNavigate()
  if (id === 'new')
    return (
      <>
        <RecordHeader back="challenge" title="A new challenge" />
        <NewChallengeForm
          onAdded={(addedId) =>
            void navigate({ ...toScreen('challengeSteps', { params: { id: addedId } }), replace: true })
          }
        />
      </>
    )
  const challenge = query.data?.find((row) => row.id === id)
  return (
    <>
      <RecordHeader back="challenge" title={challenge?.title ?? 'Challenge'} />
      <QueryBoundary
        query={query}
        loading={{ label: 'Loading the challenge', className: 'h-96' }}
        error="The challenge could not be loaded."
      >
        {() =>
          challenge ? (
            <ChallengeSteps key={id} challenge={challenge} />
          ) : (
            <EmptyNotice>This challenge was deleted. Go back to the challenges to open another one.</EmptyNotice>
          )
        }
      </QueryBoundary>
    </>
  )
}

function ChallengeSteps({ challenge }: { challenge: AdminChallenge }) {
  const [{ step: chosenStep }] = useScreenSearch()
  const openId = chosenStep ?? currentStep(challenge)
  const openStep = CHALLENGE_STEPS.find(({ id }) => id === openId) ?? CHALLENGE_STEPS[0]
  return (
    <>
      <p className="-mt-4 mb-6 max-w-prose text-muted">
        {challenge.prize}
        <Link to="/challenge/$id" params={{ id: challenge.id }} className={buttonClass('text', 'ml-2')}>
          View the public page
        </Link>
      </p>
      <ChallengeProgress challenge={challenge} openStep={openStep.id} />
      <Panel key={openStep.id} title={openStep.label} className="mt-10">
        <StepText challenge={challenge} step={openStep.id}>
          {challenge.state !== 'published' && <PhaseAction challenge={challenge} />}
        </StepText>
        <div className="mt-10">{stepContent(challenge, openStep.id)}</div>
      </Panel>
    </>
  )
}

function stepContent(challenge: AdminChallenge, step: ChallengeStepId): ReactNode {
  const isFuture = stepStatus(challenge, step) === 'future'
  switch (step) {
    case 'dates':
      return <ChallengeForm challenge={challenge} />
    case 'submissions':
      return <SubmissionsTable challenge={challenge} />
    case 'listening':
      return <ListeningSummary challenge={challenge} />
    case 'finalists':
      return (
        <>
          <ScreenLink screen="finalists" params={{ id: challenge.id }} className={buttonClass('primary', 'mb-8')}>
            Compare side by side
          </ScreenLink>
          <FinalistsEditor challenge={challenge} />
        </>
      )
    case 'voting':
      return isFuture ? null : <Turnout challenge={challenge} />
    case 'ballots':
      return isFuture && challenge.state !== 'voting' ? null : <VotesReview challenge={challenge} />
    case 'result':
      return isFuture ? null : <VotesReview challenge={challenge} />
  }
}

function ListeningSummary({ challenge: { id } }: { challenge: AdminChallenge }) {
  const query = useQuery(listeningQueue(id))
  return (
    <QueryBoundary
      query={query}
      loading={{ label: 'Loading the verses', className: 'h-32' }}
      error="The verses could not be loaded."
    >
      {(verses) => (
        <>
          <dl className="grid gap-8 sm:grid-cols-3">
            <MetricCard label="Verses" value={formatCount(verses.length)} />
            <MetricCard
              label="Rated by you"
              value={formatCount(verses.filter(({ myRating }) => myRating !== null).length)}
            />
            <MetricCard
              label="Rated by anyone"
              value={formatCount(verses.filter(({ ratings }) => ratings.length > 0).length)}
            />
          </dl>
          <div className="mt-8 flex flex-wrap gap-3">
            <ScreenLink screen="listening" params={{ id }} className={buttonClass('primary')}>
              Listen
            </ScreenLink>
            <ScreenLink
              screen="challengeSteps"
              params={{ id }}
              search={{ step: 'submissions', rated: 'not-by-me' }}
              className={buttonClass()}
            >
              Show verses I haven’t rated
            </ScreenLink>
          </div>
        </>
      )}
    </QueryBoundary>
  )
}

const Turnout = ({ challenge }: { challenge: AdminChallenge }) => (
  <div className="grid gap-8">
    <RekeyedAlert challenge={challenge} />
    <dl className="grid gap-8 sm:grid-cols-3">
      <MetricCard label="Votes cast" value={formatCount(challenge.votes)} />
      <MetricCard label="Flags to decide" value={formatCount(challenge.openFlags)} note="Under “Check ballots”." />
    </dl>
  </div>
)
