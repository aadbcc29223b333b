import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Headphones, Trash2 } from 'lucide-react'
import { type AdminChallenge, adminChallengeApi } from '../../worker/contract/admin-challenge'
import { useRemoveWithUndo } from '../admin/admin.queries'
import { AdminList } from '../admin/list/AdminList'
import type { AdminListDefinition } from '../admin/list/list-definition'
import { Panel } from '../admin/Panel'
import { ScreenLink } from '../admin/ScreenLink'
import { toScreen } from '../admin/screen-location'
import { call } from '../api/call'
import { formatCalendarDate, formatCount } from '../lib/format'
import { Button, buttonClass } from '../ui/Button'
import { QueryBoundary } from '../ui/QueryBoundary'
import { ChallengeMetrics, FinishedChallenge } from './ChallengeMetrics'
import { ChallengeProgress, StepText } from './ChallengeProgress'
import { adminChallenges } from './challenge-admin.queries'
import { ADMIN_PHASE_LABELS } from './challenge-admin-text'
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

const challengeList: AdminListDefinition<'/api/admin/challenges', AdminChallenge> = {
  name: 'challenge.all',
  title: 'All challenges',
  endpoint: adminChallengeApi.challenges,
  nameOf: (row) => row.title,
  linkOf: ({ id }) => toScreen('challengeSteps', { params: { id } }),
  columns: [
    { id: 'title', header: 'Challenge', cell: (row) => row.title },
    { id: 'state', header: 'Stage', cell: (row) => ADMIN_PHASE_LABELS[row.state] },
    { id: 'winner', header: 'Winner on', cell: (row) => formatCalendarDate(row.winnerOn) },
    { id: 'finalists', header: 'Finalists', cell: (row) => row.finalists.length, isNumeric: true },
    { id: 'votes', header: 'Votes', cell: (row) => formatCount(row.votes), isNumeric: true },
    { id: 'verses', header: 'Verses', cell: (row) => formatCount(row.submissions), isNumeric: true },
  ],
  empty: 'No challenges yet. Add one: you choose its dates, and each stage begins automatically.',
}

/** All challenges; each has a page with its steps. */
function ChallengesPanel() {
  const removeWithUndo = useRemoveWithUndo({
    keys: ['challenge'],
    remove: (id) => call(adminChallengeApi.removeChallenge, { id }),
    restore: (id) => call(adminChallengeApi.restoreChallenge, { id }),
  })
  return (
    <AdminList
      list={challengeList}
      note="The latest challenge with a winner is shown in the hall of fame. A challenge that people have taken part in can’t be deleted."
      tools={
        <ScreenLink screen="challengeSteps" params={{ id: 'new' }} className={buttonClass()}>
          Add a challenge
        </ScreenLink>
      }
      actions={(row) =>
        row.submissions === 0 &&
        row.votes === 0 && (
          <Button variant="text" aria-label={`Delete ${row.title}`} onClick={() => removeWithUndo(row.id, row.title)}>
            <Trash2 size={18} aria-hidden />
            Delete
          </Button>
        )
      }
    />
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
