import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Tabs } from 'radix-ui'
import type { HallOfFameEntry } from '../../worker/contract/hall-of-fame'
import { AdminPageLayout } from '../admin/AdminPageLayout'
import { AdminTabList } from '../admin/AdminTabList'
import { formatCalendarDate } from '../lib/format'
import { buttonClass } from '../ui/Button'
import { ChallengeMetrics, FinishedChallenge } from './ChallengeMetrics'
import { FinalistBars } from './FinalistBars'
import { hallOfFame } from './hall-of-fame.queries'
import { SubmissionsTable } from './SubmissionsTable'

const TABS = [
  { id: 'overview', label: 'Overview' },
  { id: 'results', label: 'Voting Results' },
  { id: 'submissions', label: 'Submissions' },
  { id: 'timeline', label: 'Timeline' },
]

/**
 * /golden-verse-admin: metrics, votes and timeline of the latest challenge with a winner, and the verse submissions of
 * all challenges.
 */
export function ChallengeAdminPage() {
  const { tab } = useSearch({ from: '/golden-verse-admin' })
  const navigate = useNavigate()
  const query = useQuery(hallOfFame)
  const openId = TABS.find(({ id }) => id === tab)?.id ?? 'overview'
  return (
    <AdminPageLayout title={query.data?.title ?? 'Challenge Admin'} back="challenge">
      <Tabs.Root
        value={openId}
        onValueChange={(next) =>
          void navigate({ to: '/golden-verse-admin', search: { tab: next }, resetScroll: false })
        }
        activationMode="manual"
      >
        <AdminTabList label="The challenge" tabs={TABS} openId={openId} />
        <Tabs.Content value="submissions">
          <SubmissionsTable />
        </Tabs.Content>
        {openId !== 'submissions' && (
          <FinishedChallenge>{(challenge) => <FinishedChallengeTabs challenge={challenge} />}</FinishedChallenge>
        )}
      </Tabs.Root>
    </AdminPageLayout>
  )
}

function FinishedChallengeTabs({ challenge }: { challenge: HallOfFameEntry }) {
  const { totalVotes, finalists, timeline } = challenge
  return (
    <>
      <Tabs.Content value="overview">
        <ChallengeMetrics challenge={challenge} />
      </Tabs.Content>
      <Tabs.Content value="results" className="max-w-3xl">
        <p className="mb-6 text-muted">
          <span className="tabular-figures text-ivory">{totalVotes}</span> votes for{' '}
          <span className="tabular-figures text-ivory">{finalists.length}</span> finalists.
        </p>
        <FinalistBars finalists={finalists} />
        <Link to="/csv-download" className={buttonClass('outline', 'mt-8')}>
          CSV Download
        </Link>
      </Tabs.Content>
      <Tabs.Content value="timeline">
        <FinishedChallengeTimeline timeline={timeline} />
      </Tabs.Content>
    </>
  )
}

function FinishedChallengeTimeline({ timeline }: { timeline: HallOfFameEntry['timeline'] }) {
  return (
    <ol className="max-w-3xl border-l-2 border-gold">
      {timeline.map(({ label, date }) => (
        <li key={label} className="relative py-4 pl-8">
          <span aria-hidden="true" className="absolute top-6 -left-[7px] size-3 rounded-full bg-gold" />
          <p className="font-semibold">{label}</p>
          <p className="tabular-figures text-muted">
            <time dateTime={date}>{formatCalendarDate(date)}</time>
          </p>
        </li>
      ))}
    </ol>
  )
}
