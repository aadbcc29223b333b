import { type JobRun, privacyApi } from '../../worker/contract/privacy'
import type { AdminListDefinition } from '../admin/list/list-definition'
import { formatCount, formatDateTime } from '../lib/format'

const JOB_STATE_LABELS: Record<JobRun['state'], string> = {
  done: 'Done',
  more: 'Continues within five minutes',
  failed: 'Failed',
}

/** The last run of each daily job. */
export const jobList: AdminListDefinition<'/api/admin/privacy/jobs', JobRun> = {
  name: 'jobs',
  title: 'Daily jobs',
  endpoint: privacyApi.jobs,
  urlPrefix: 'jobs.',
  nameOf: (row) => row.job,
  keyOf: (row) => row.job,
  columns: [
    { id: 'job', header: 'Job', cell: (row) => row.job },
    { id: 'startedAt', header: 'Last run', cell: (row) => formatDateTime(row.startedAt) },
    {
      id: 'state',
      header: 'State',
      cell: (row) => (
        <span className={row.state === 'failed' ? 'text-sunset' : undefined}>{JOB_STATE_LABELS[row.state]}</span>
      ),
    },
    { id: 'affected', header: 'Rows', cell: (row) => formatCount(row.affected), isNumeric: true },
    {
      id: 'lastDoneAt',
      header: 'Last completed',
      cell: (row) => (row.lastDoneAt === null ? 'Never' : formatDateTime(row.lastDoneAt)),
    },
  ],
  empty: 'No job has run yet. The first run is at 07:30 UTC.',
}
