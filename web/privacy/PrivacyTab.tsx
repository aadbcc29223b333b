import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Inquiry, type JobRun, privacyApi } from '../../worker/contract/privacy'
import { adminQuery } from '../admin/admin.queries'
import { ListPanel } from '../admin/ListPanel'
import { useLocalListing, usePagedListing } from '../admin/listings'
import { formatCount, formatDateTime } from '../lib/format'
import { Button } from '../ui/Button'
import type { Column } from '../ui/DataTable'
import { AnswerInquiryDialog } from './AnswerInquiryDialog'
import { INQUIRIES_KEY } from './privacy-admin.queries'

export function PrivacyTab() {
  return (
    <div className="grid grid-cols-1 gap-16">
      <InquiriesPanel />
      <JobsPanel />
    </div>
  )
}

const dayFormat = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })

function DueDate({ inquiry: { dueAt, answeredAt } }: { inquiry: Inquiry }) {
  if (answeredAt) return <span className="text-muted">Answered {dayFormat.format(new Date(answeredAt))}</span>
  const isOverdue = Date.parse(dueAt) < Date.now()
  return (
    <span className={isOverdue ? 'text-sunset' : undefined}>
      {isOverdue ? 'Overdue since' : 'Due'} {dayFormat.format(new Date(dueAt))}
    </span>
  )
}

const inquiryColumns: readonly Column<Inquiry>[] = [
  { id: 'due', header: 'Answer by', cell: (row) => <DueDate inquiry={row} /> },
  { id: 'kind', header: 'About', cell: (row) => row.kind },
  { id: 'from', header: 'From', cell: (row) => row.username ?? (row.email || 'Erased') },
  {
    id: 'message',
    header: 'Question',
    cell: (row) => <span className="line-clamp-3 max-w-prose break-words whitespace-pre-line">{row.message}</span>,
  },
]

function InquiriesPanel() {
  const [open, setOpen] = useState<Inquiry | null>(null)
  const listing = usePagedListing({
    key: INQUIRIES_KEY,
    endpoint: privacyApi.inquiries,
  })
  return (
    <>
      <ListPanel
        title="Privacy inquiries"
        note="Answer each within 30 days. Admins get a reminder a week before it is due."
        listing={listing}
        columns={inquiryColumns}
        empty="No inquiries."
        actions={(row) => <Button onClick={() => setOpen(row)}>{row.answeredAt ? 'Read' : 'Answer'}</Button>}
      />
      {open && <AnswerInquiryDialog inquiry={open} onClose={() => setOpen(null)} />}
    </>
  )
}

const STATES: Record<JobRun['state'], string> = {
  done: 'Done',
  more: 'Continues in five minutes',
  failed: 'Failed',
}

const jobColumns: readonly Column<JobRun>[] = [
  { id: 'job', header: 'Job', cell: (row) => row.job, sortBy: (row) => row.job },
  { id: 'startedAt', header: 'Last run', cell: (row) => formatDateTime(row.startedAt), sortBy: (row) => row.startedAt },
  {
    id: 'state',
    header: 'State',
    cell: (row) => <span className={row.state === 'failed' ? 'text-sunset' : undefined}>{STATES[row.state]}</span>,
    sortBy: (row) => row.state,
  },
  {
    id: 'affected',
    header: 'Rows',
    cell: (row) => formatCount(row.affected),
    sortBy: (row) => row.affected,
    numeric: true,
  },
  {
    id: 'lastDoneAt',
    header: 'Last completed',
    cell: (row) => (row.lastDoneAt === null ? 'Never' : formatDateTime(row.lastDoneAt)),
    sortBy: (row) => row.lastDoneAt ?? '',
  },
]

function JobsPanel() {
  const listing = useLocalListing(useQuery(adminQuery('jobs', privacyApi.jobs)), {
    label: 'Search jobs',
    textOf: (row) => row.job,
  })
  return (
    <ListPanel
      title="Daily jobs"
      note="They enforce the retention periods of the privacy policy every day at 07:30 UTC."
      listing={listing}
      columns={jobColumns}
      rowKey={(row) => row.job}
      empty="No job has run yet. The first run is at 07:30 UTC."
    />
  )
}
