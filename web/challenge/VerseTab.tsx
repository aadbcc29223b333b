import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { deskChallenges } from '../admin/desk-lists'
import { Panel } from '../admin/Panel'
import { buttonClass } from '../ui/Button'
import { LoadError } from '../ui/LoadError'
import { Skeleton } from '../ui/Skeleton'
import { ChallengeFigures } from './ChallengeFigures'
import { ChallengeRun } from './ChallengeRun'
import { ChallengesPanel } from './ChallengesPanel'
import { hallOfFame } from './challenge.queries'

/** The desk's Verse Challenge: the one that is on (or was chosen), all of them, and the finished one's own pages. */
export function VerseTab() {
  // Verses and votes come in while somebody looks.
  const challenges = useQuery({ ...deskChallenges, refetchInterval: 30_000 })
  const [chosen, setChosen] = useState<string | null>(null)
  const all = challenges.data
  // The one that is decided next; where all are, the last one.
  const current = all?.findLast(({ state }) => state !== 'published') ?? all?.[0]
  const run = all?.find(({ id }) => id === chosen) ?? current
  return (
    <div className="grid gap-12">
      {run ? (
        <ChallengeRun key={run.id} challenge={run} />
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
      <ChallengesPanel onRun={setChosen} running={run?.id} />
      <HallOfFamePanel />
    </div>
  )
}

function HallOfFamePanel() {
  const { data, error, refetch, isFetching } = useQuery(hallOfFame)
  return (
    <Panel title="Hall of fame" note={data?.title}>
      {data && <ChallengeFigures challenge={data} />}
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
