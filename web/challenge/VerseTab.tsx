import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Panel } from '../admin/Panel'
import { buttonClass } from '../ui/Button'
import { QueryBoundary } from '../ui/QueryBoundary'
import { ChallengeManager } from './ChallengeManager'
import { ChallengeMetrics, FinishedChallenge } from './ChallengeMetrics'
import { ChallengesPanel } from './ChallengesPanel'
import { adminChallenges } from './challenge-admin.queries'
import { hallOfFame } from './hall-of-fame.queries'

/** The admin's Verse Challenge tab. */
export function VerseTab() {
  const query = useQuery({ ...adminChallenges, refetchInterval: 30_000 })
  const [selectedId, setSelectedId] = useState<string | null>(null)
  const challenges = query.data
  // Newest first: the unpublished challenge that is decided next, else the last published one.
  const current = challenges?.findLast(({ state }) => state !== 'published') ?? challenges?.[0]
  const selectedChallenge = challenges?.find(({ id }) => id === selectedId) ?? current
  return (
    <div className="grid gap-12">
      {selectedChallenge ? (
        <ChallengeManager key={selectedChallenge.id} challenge={selectedChallenge} />
      ) : (
        !challenges && (
          <Panel title="Verse Challenge">
            <QueryBoundary
              query={query}
              loading={{ label: 'Loading the challenges', className: 'h-96' }}
              error="The challenges could not be loaded."
            >
              {() => null}
            </QueryBoundary>
          </Panel>
        )
      )}
      <ChallengesPanel onSelect={setSelectedId} selectedId={selectedChallenge?.id} />
      <HallOfFamePanel />
    </div>
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
