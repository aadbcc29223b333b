import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Panel } from '../admin/Panel'
import { buttonClass } from '../ui/Button'
import { LoadError } from '../ui/LoadError'
import { Skeleton } from '../ui/Skeleton'
import { ChallengeManager } from './ChallengeManager'
import { ChallengeMetrics } from './ChallengeMetrics'
import { ChallengesPanel } from './ChallengesPanel'
import { adminChallenges } from './challenge-admin.queries'
import { hallOfFame } from './hall-of-fame.queries'

/** The admin's Verse Challenge tab. */
export function VerseTab() {
  const challenges = useQuery({ ...adminChallenges, refetchInterval: 30_000 })
  const [selectedId, setSelectedId] = useState<string | null>(null)
  const all = challenges.data
  // The challenge decided next, else the last one.
  const current = all?.findLast(({ state }) => state !== 'published') ?? all?.[0]
  const shown = all?.find(({ id }) => id === selectedId) ?? current
  return (
    <div className="grid gap-12">
      {shown ? (
        <ChallengeManager key={shown.id} challenge={shown} />
      ) : (
        !all && (
          <Panel title="Verse Challenge">
            {challenges.error ? (
              <LoadError onRetry={() => void challenges.refetch()} retrying={challenges.isFetching}>
                The challenges could not be fetched.
              </LoadError>
            ) : (
              <Skeleton label="Fetching the challenges" className="h-96" />
            )}
          </Panel>
        )
      )}
      <ChallengesPanel onSelect={setSelectedId} selectedId={shown?.id} />
      <HallOfFamePanel />
    </div>
  )
}

function HallOfFamePanel() {
  const { data, error, refetch, isFetching } = useQuery(hallOfFame)
  return (
    <Panel title="Hall of fame" note={data?.title}>
      {data && <ChallengeMetrics challenge={data} />}
      {data === null && <p className="text-muted">No challenge has been finished yet.</p>}
      {data === undefined && !error && <Skeleton label="Counting the votes" className="h-72" />}
      {error && !data && (
        <LoadError onRetry={() => void refetch()} retrying={isFetching}>
          No finished challenge could be fetched.
        </LoadError>
      )}
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
