import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Headphones } from 'lucide-react'
import type { AdminChallenge } from '../../worker/contract/admin-challenge'
import { Panel } from '../admin/Panel'
import { ScreenLink } from '../admin/ScreenLink'
import { buttonClass } from '../ui/Button'
import { QueryBoundary } from '../ui/QueryBoundary'
import { ChallengeMetrics, FinishedChallenge } from './ChallengeMetrics'
import { ChallengeProgress, StepText } from './ChallengeProgress'
import { ChallengesPanel } from './ChallengesPanel'
import { adminChallenges } from './challenge-admin.queries'
import { CHALLENGE_STEPS, currentStep } from './challenge-steps'
import { hallOfFame } from './hall-of-fame.queries'

/** /admin/challenge: the current challenge, all challenges and the hall of fame. */
export function ChallengeTab() {
  const query = useQuery({ ...adminChallenges, refetchInterval: 30_000 })
  return (
    <div className="grid gap-12">
      <QueryBoundary
        query={query}
        loading={{ label: 'Loading the challenges', className: 'h-96' }}
        error="The challenges could not be loaded."
      >
        {(challenges) => {
          // Challenges are listed newest first; the current one is the oldest that is not published.
          const current = challenges.findLast(({ state }) => state !== 'published')
          return current ? <CurrentChallenge challenge={current} /> : null
        }}
      </QueryBoundary>
      <ChallengesPanel />
      <HallOfFamePanel />
    </div>
  )
}

function CurrentChallenge({ challenge }: { challenge: AdminChallenge }) {
  const step = currentStep(challenge)
  return (
    <Panel title={challenge.title} note={challenge.prize}>
      <ChallengeProgress challenge={challenge} />
      <div className="mt-8">
        <StepText challenge={challenge} step={step}>
          <ScreenLink screen="challengeSteps" params={{ id: challenge.id }} className={buttonClass('primary')}>
            Go to {CHALLENGE_STEPS.find(({ id }) => id === step)?.label.toLowerCase()}
          </ScreenLink>
          {challenge.submissions > 0 && (
            <ScreenLink screen="listening" params={{ id: challenge.id }} className={buttonClass()}>
              <Headphones size={18} aria-hidden />
              Listen
            </ScreenLink>
          )}
        </StepText>
      </div>
    </Panel>
  )
}

function HallOfFamePanel() {
  const query = useQuery(hallOfFame)
  return (
    <Panel title="Hall of fame" note={query.data?.title}>
      <FinishedChallenge>{(challenge) => <ChallengeMetrics challenge={challenge} />}</FinishedChallenge>
      <nav aria-label="The challenge" className="mt-10 flex flex-wrap gap-3">
        <Link to="/golden-verse-admin" search={{ tab: 'results' }} className={buttonClass()}>
          Challenge Admin
        </Link>
        <Link to="/verse-submissions" className={buttonClass()}>
          Verse Submissions
        </Link>
        <Link to="/csv-download" className={buttonClass()}>
          CSV Download
        </Link>
      </nav>
    </Panel>
  )
}
