import { useQuery } from '@tanstack/react-query'
import { type SystemStatus, systemApi } from '../../worker/contract/system'
import { adminQuery } from '../admin/admin.queries'
import { AdminList } from '../admin/list/AdminList'
import { MetricCard } from '../admin/MetricCard'
import { Panel } from '../admin/Panel'
import { formatBytes, formatCount, formatDate } from '../lib/format'
import { jobList } from '../privacy/jobs-list'
import { ArchivesPanel } from './ArchivesPanel'

export function SystemTab() {
  return (
    <div className="grid grid-cols-1 gap-16">
      <StatusPanel />
      <ArchivesPanel />
      <AdminList list={jobList} note="They run every day at 07:30 UTC. A failed job is tried again every hour." />
    </div>
  )
}

const statusQuery = adminQuery('system', systemApi.status)

function StatusPanel() {
  const { data, isError } = useQuery({ ...statusQuery, refetchInterval: 30_000 })
  return (
    <Panel title="System" note="How the site is doing. Owners get an email when something needs their attention.">
      {isError && <p role="alert">The status could not be read. Please reload the page.</p>}
      {!data && !isError && <p className="text-muted">Checking the site …</p>}
      {data && <Status status={data} />}
    </Panel>
  )
}

const PAYMENT_MODES: Readonly<Record<SystemStatus['payments'], { value: string; note: string }>> = {
  off: { value: 'Off', note: 'Nothing can be bought until your operator adds your Stripe keys' },
  test: { value: 'Test', note: 'The checkout works, no card is charged' },
  live: { value: 'Live', note: 'Stripe charges cards' },
}

function Status({ status }: { status: SystemStatus }) {
  const { database, emails, filesBytes, lastArchive, problems, queues } = status
  const usedShare = database.sizeBytes / database.maxBytes
  return (
    <div className="grid grid-cols-1 gap-10">
      {problems.length > 0 ? (
        <ul role="alert" className="grid gap-2 border-l-4 border-sunset pl-4">
          {problems.map((problem) => (
            <li key={problem}>{problem}</li>
          ))}
        </ul>
      ) : (
        <p className="border-l-4 border-bay pl-4">Everything is running as it should.</p>
      )}
      <dl className="grid gap-x-6 gap-y-8 *:min-w-0 sm:grid-cols-2 lg:grid-cols-4">
        <MetricCard
          label="Database"
          value={formatBytes(database.sizeBytes)}
          note={`${usedShare < 0.01 ? 'Less than 1%' : `${Math.round(usedShare * 100)}%`} of ${formatBytes(database.maxBytes)}`}
        />
        <MetricCard
          label="Files"
          value={formatBytes(filesBytes)}
          note="Recordings, pictures, downloads, exports, imported files and archives, without resized pictures. There is no limit."
        />
        <MetricCard
          label="Last archive"
          value={lastArchive ? formatDate(lastArchive.at) : 'None'}
          note={lastArchive ? formatBytes(lastArchive.sizeBytes) : 'The first one is created within a week'}
        />
        <MetricCard
          label="Emails failed"
          value={formatCount(emails.failedLastDay)}
          note={`In the last day. Awaiting your decision under Email: ${formatCount(emails.unknown)}.`}
        />
        <MetricCard label="Version" value={status.version} note={`Database: ${status.migration.replace('.sql', '')}`} />
        <MetricCard
          label="Payments"
          value={PAYMENT_MODES[status.payments].value}
          note={PAYMENT_MODES[status.payments].note}
        />
        <MetricCard
          label="Email domain"
          value={status.mailFrom.split('@').at(-1) ?? ''}
          note={`All email comes from ${status.mailFrom}`}
        />
        <MetricCard
          label="Domain"
          value={new URL(status.origin).host}
          note={`Emails and feeds link here.${status.origin.startsWith('https:') ? ' Cloudflare renews its certificate.' : ''}`}
        />
      </dl>
      <div>
        <h3 className="font-label text-muted">Waiting in the queues</h3>
        <ul className="mt-3 grid grid-cols-1 gap-x-6 sm:grid-cols-2 lg:grid-cols-4">
          {queues.map(({ name, waiting }) => (
            <li key={name} className="flex justify-between gap-3 border-t border-rule py-2">
              {name}
              <span className={waiting > 0 ? 'tabular-figures text-gold' : 'tabular-figures text-muted'}>
                {formatCount(waiting)}
              </span>
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}
