import { useState } from 'react'
import { type Inquiry, privacyApi } from '../../worker/contract/privacy'
import { usePagedListing } from '../admin/listings'
import { Panel } from '../admin/Panel'
import { Button } from '../ui/Button'
import { type Column, DataTable } from '../ui/DataTable'
import { AnswerInquiryDialog } from './AnswerInquiryDialog'
import { INQUIRIES_KEY } from './privacy-admin.queries'

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })

function Due({ inquiry: { dueAt, answeredAt } }: { inquiry: Inquiry }) {
  if (answeredAt) return <span className="text-muted">Answered {day.format(new Date(answeredAt))}</span>
  const isOverdue = Date.parse(dueAt) < Date.now()
  return (
    <span className={isOverdue ? 'text-sunset' : undefined}>
      {isOverdue ? 'Overdue since' : 'Due'} {day.format(new Date(dueAt))}
    </span>
  )
}

const columns: readonly Column<Inquiry>[] = [
  { id: 'due', header: 'To be answered', cell: (row) => <Due inquiry={row} /> },
  { id: 'kind', header: 'About', cell: (row) => row.kind },
  { id: 'from', header: 'From', cell: (row) => row.username ?? (row.email || 'Erased') },
  {
    id: 'message',
    header: 'Question',
    cell: (row) => <span className="line-clamp-3 max-w-prose break-words whitespace-pre-line">{row.message}</span>,
  },
]

/** Questions about personal data, those that wait first. */
export function InquiriesPanel() {
  const [open, setOpen] = useState<Inquiry | null>(null)
  const listing = usePagedListing({
    key: INQUIRIES_KEY,
    endpoint: privacyApi.inquiries,
  })
  return (
    <Panel title="Privacy inquiries" note="Each is answered within 30 days. Administrators are reminded a week before.">
      <DataTable
        caption="Privacy inquiries"
        listing={listing}
        columns={columns}
        rowKey={(row) => row.id}
        empty="Nobody has asked about their data."
        actions={(row) => <Button onClick={() => setOpen(row)}>{row.answeredAt ? 'Read' : 'Answer'}</Button>}
      />
      {open && <AnswerInquiryDialog inquiry={open} onClose={() => setOpen(null)} />}
    </Panel>
  )
}
