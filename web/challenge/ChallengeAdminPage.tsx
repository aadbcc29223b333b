import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Tabs } from 'radix-ui'
import type { HallOfFameEntry } from '../../worker/contract/hall-of-fame'
import { AdminPageLayout, useScrollTabIntoView } from '../admin/AdminPageLayout'
import { calendarDate } from '../lib/format'
import { buttonClass } from '../ui/Button'
import { LoadError } from '../ui/LoadError'
import { Skeleton } from '../ui/Skeleton'
import { ChallengeMetrics } from './ChallengeMetrics'
import { FinalistBars } from './FinalistBars'
import { hallOfFame } from './hall-of-fame.queries'
import { SubmissionsTable } from './SubmissionsTable'

const TABS = [
  ['overview', 'Overview'],
  ['results', 'Voting Results'],
  ['submissions', 'Submissions'],
  ['timeline', 'Timeline'],
] as const

/** /golden-verse-admin: the finished challenge, counted from its ballots. */
export function ChallengeAdminPage() {
  const { tab } = useSearch({ from: '/golden-verse-admin' })
  const navigate = useNavigate()
  const { data, error, refetch, isFetching } = useQuery(hallOfFame)
  const open = TABS.some(([id]) => id === tab) ? (tab ?? 'overview') : 'overview'
  const tabs = useScrollTabIntoView(open)
  return (
    <AdminPageLayout title={data?.title ?? 'Challenge Admin'}>
      <Tabs.Root
        value={open}
        onValueChange={(next) =>
          void navigate({ to: '/golden-verse-admin', search: { tab: next }, resetScroll: false })
        }
        activationMode="manual"
      >
        <Tabs.List ref={tabs} aria-label="The challenge" className="admin-tabs admin-tabs-horizontal">
          {TABS.map(([id, label]) => (
            <Tabs.Trigger key={id} value={id} className="admin-tab font-label">
              {label}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        {error && !data && open !== 'submissions' && (
          <LoadError onRetry={() => void refetch()} retrying={isFetching}>
            No finished challenge could be fetched.
          </LoadError>
        )}
        {data === null && open !== 'submissions' && <p className="text-muted">No challenge has been finished yet.</p>}
        {data === undefined && !error && <Skeleton label="Counting the votes" className="h-72" />}
        <Tabs.Content value="overview">{data && <ChallengeMetrics challenge={data} />}</Tabs.Content>
        <Tabs.Content value="results">
          {data && (
            <div className="max-w-3xl">
              <p className="mb-6 text-muted">
                <span className="figures text-ivory">{data.totalVotes}</span> votes for{' '}
                <span className="figures text-ivory">{data.finalists.length}</span> finalists.
              </p>
              <FinalistBars finalists={data.finalists} />
              <Link to="/csv-download" className={buttonClass('outline', 'mt-8')}>
                CSV Download
              </Link>
            </div>
          )}
        </Tabs.Content>
        <Tabs.Content value="submissions">
          <SubmissionsTable />
        </Tabs.Content>
        <Tabs.Content value="timeline">{data && <ChallengeTimeline timeline={data.timeline} />}</Tabs.Content>
      </Tabs.Root>
    </AdminPageLayout>
  )
}

function ChallengeTimeline({ timeline }: { timeline: HallOfFameEntry['timeline'] }) {
  return (
    <ol className="max-w-3xl border-l-2 border-gold">
      {timeline.map(({ label, date }) => (
        <li key={label} className="relative py-4 pl-8">
          <span aria-hidden="true" className="absolute top-6 -left-[7px] size-3 rounded-full bg-gold" />
          <p className="font-semibold">{label}</p>
          <p className="figures text-muted">
            <time dateTime={date}>{calendarDate(date)}</time>
          </p>
        </li>
      ))}
    </ol>
  )
}
