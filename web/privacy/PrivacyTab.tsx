import { useState } from 'react'
import { INQUIRY_KINDS, type Inquiry, privacyApi } from '../../worker/contract/privacy'
import { AdminList } from '../admin/list/AdminList'
import type { AdminListDefinition } from '../admin/list/list-definition'
import { Button } from '../ui/Button'
import { AnswerInquiryDialog } from './AnswerInquiryDialog'
import { jobList } from './jobs-list'

export function PrivacyTab() {
  return (
    <div className="grid grid-cols-1 gap-16">
      <InquiriesPanel />
      <AdminList
        list={jobList}
        note="They enforce the retention periods of the privacy policy every day at 07:30 UTC."
      />
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

const inquiryList = (
  open: (inquiry: Inquiry) => void,
): AdminListDefinition<'/api/admin/privacy/inquiries', Inquiry> => ({
  name: 'inquiries',
  title: 'Privacy inquiries',
  endpoint: privacyApi.inquiries,
  searchLabel: 'Search questions and answers',
  nameOf: (row) => `${row.kind} from ${senderOf(row)}`,
  openerOf: (row) => () => open(row),
  columns: [
    { id: 'from', header: 'From', cell: senderOf },
    { id: 'kind', header: 'About', cell: (row) => row.kind },
    {
      id: 'message',
      header: 'Question',
      cell: (row) => <span className="line-clamp-3 max-w-prose break-words whitespace-pre-line">{row.message}</span>,
    },
    { id: 'due', header: 'Answer by', cell: (row) => <DueDate inquiry={row} />, sort: 'queue' },
    {
      id: 'received',
      header: 'Received',
      cell: (row) => dayFormat.format(new Date(row.createdAt)),
      sort: 'received',
      isOptional: true,
    },
  ],
  filters: [
    {
      id: 'state',
      label: 'State',
      kind: 'choice',
      options: [
        { value: 'open', label: 'Open' },
        { value: 'overdue', label: 'Overdue' },
        { value: 'answered', label: 'Answered' },
      ],
    },
    { id: 'kind', label: 'About', kind: 'choice', options: INQUIRY_KINDS.map((value) => ({ value, label: value })) },
    { id: 'received', label: 'Received', kind: 'days' },
  ],
  empty: 'No inquiries. Requests from the privacy page appear here, with the day to answer by.',
})

const senderOf = ({ username, email }: Inquiry) => username ?? (email || 'Erased')

function InquiriesPanel() {
  const [open, setOpen] = useState<Inquiry | null>(null)
  return (
    <>
      <AdminList
        list={inquiryList(setOpen)}
        note="Answer each within 30 days. Admins get a reminder a week before it is due."
        actions={(row) => <Button onClick={() => setOpen(row)}>{row.answeredAt ? 'Read' : 'Answer'}</Button>}
      />
      {open && <AnswerInquiryDialog inquiry={open} onClose={() => setOpen(null)} />}
    </>
  )
}
