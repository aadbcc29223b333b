import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Panel } from '../admin/Panel'
import { buttonClass } from '../ui/Button'
import { LoadError } from '../ui/LoadError'
import { Skeleton } from '../ui/Skeleton'
import { ChallengeFigures } from './ChallengeFigures'
import { ChallengesPanel } from './ChallengesPanel'
import { hallOfFame } from './challenge.queries'

/** The desk's way to the challenge's own pages. */
export function VerseTab() {
  const { data, error, refetch, isFetching } = useQuery(hallOfFame)
  return (
    <div className="grid gap-12">
      <Panel title={data?.title ?? 'Verse Challenge'}>
        {data && <ChallengeFigures challenge={data} />}
        {data === null && <p className="text-muted">No challenge has been finished yet.</p>}
        {data === undefined && !error && <Skeleton label="Counting the votes" className="h-72" />}
        {error && !data && (
          <LoadError onRetry={() => void refetch()} retrying={isFetching}>
            No finished challenge could be fetched.
          </LoadError>
        )}
        <nav aria-label="The challenge" className="mt-10 flex flex-wrap gap-3">
          <Link to="/golden-verse-admin" search={{ tab: 'results' }} className={buttonClass('foil')}>
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
      <ChallengesPanel />
    </div>
  )
}
