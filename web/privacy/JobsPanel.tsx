import { useQuery } from '@tanstack/react-query'
import type { JobRun } from '../../worker/contract/privacy'
import { useLocalListing } from '../admin/listings'
import { Panel } from '../admin/Panel'
import { type Column, DataTable } from '../ui/DataTable'
import { jobRuns } from './privacy-admin.queries'

const timestamp = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' })
const formatDuration = (at: string) => timestamp.format(new Date(at))

const STATES: Record<JobRun['state'], string> = {
  done: 'Done',
  more: 'Goes on in five minutes',
  failed: 'Failed',
}

const columns: readonly Column<JobRun>[] = [
  { id: 'job', header: 'Job', cell: (row) => row.job, sortBy: (row) => row.job },
  { id: 'startedAt', header: 'Last run', cell: (row) => formatDuration(row.startedAt), sortBy: (row) => row.startedAt },
  {
    id: 'state',
    header: 'State',
    cell: (row) => <span className={row.state === 'failed' ? 'text-sunset' : undefined}>{STATES[row.state]}</span>,
    sortBy: (row) => row.state,
  },
  {
    id: 'affected',
    header: 'Rows',
    cell: (row) => row.affected.toLocaleString('en-US'),
    sortBy: (row) => row.affected,
    numeric: true,
  },
  {
    id: 'lastDoneAt',
    header: 'Last done',
    cell: (row) => (row.lastDoneAt === null ? 'Never' : formatDuration(row.lastDoneAt)),
    sortBy: (row) => row.lastDoneAt ?? '',
  },
]

/** What was tidied last night. */
export function JobsPanel() {
  const listing = useLocalListing(useQuery(jobRuns), { label: 'Search jobs', textOf: (row) => row.job })
  return (
    <Panel title="Daily jobs" note="They carry out what the privacy policy promises, every day at 07:30 UTC.">
      <DataTable
        caption="Daily jobs"
        listing={listing}
        columns={columns}
        rowKey={(row) => row.job}
        empty="No job has run yet. The first runs come with the next 07:30 UTC."
      />
    </Panel>
  )
}
