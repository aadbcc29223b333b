import { useNavigate } from '@tanstack/react-router'
import { INQUIRY_KINDS } from '../../worker/contract/draft-rules'
import { type Inquiry, privacyApi } from '../../worker/contract/privacy'
import { INQUIRY_RESPONSE_DAYS } from '../../worker/contract/retention'
import { UnsavedDraftNotices } from '../admin/FormDraftNotices'
import { AdminList } from '../admin/list/AdminList'
import { type AdminListDefinition, choiceFilter } from '../admin/list/list-definition'
import { ScreenLink } from '../admin/ScreenLink'
import { toScreen } from '../admin/screen-location'
import { buttonClass } from '../ui/Button'
import { DueDate, formatUtcDay, senderOf } from './inquiry-labels'
import { jobList } from './jobs-list'

export function PrivacyTab() {
  const navigate = useNavigate()
  return (
    <div className="grid grid-cols-1 gap-16">
      <div>
        <UnsavedDraftNotices
          list="inquiries"
          onContinue={(id) => void navigate(toScreen('inquiry', { params: { id } }))}
        />
        <AdminList
          list={inquiryList}
          note={`Answer each within ${INQUIRY_RESPONSE_DAYS} days. Admins get a reminder a week before it is due.`}
          actions={({ id, answeredAt }) => (
            <ScreenLink screen="inquiry" params={{ id }} className={buttonClass('text')}>
              {answeredAt ? 'Read' : 'Answer'}
            </ScreenLink>
          )}
        />
      </div>
      <AdminList
        list={jobList}
        note="Every day at 07:30 UTC, these jobs enforce the privacy policy’s retention periods, clean up and archive."
      />
    </div>
  )
}

const inquiryList: AdminListDefinition<'/api/admin/privacy/inquiries', Inquiry> = {
  name: 'inquiries',
  title: 'Privacy inquiries',
  endpoint: privacyApi.inquiries,
  searchLabel: 'Search questions and answers',
  nameOf: (row) => `${row.kind} from ${senderOf(row)}`,
  linkOf: ({ id }) => toScreen('inquiry', { params: { id } }),
  columns: [
    { id: 'from', header: 'From', cell: senderOf },
    { id: 'kind', header: 'Topic', cell: (row) => row.kind },
    {
      id: 'message',
      header: 'Question',
      cell: (row) => <span className="line-clamp-3 max-w-prose break-words whitespace-pre-line">{row.message}</span>,
    },
    { id: 'due', header: 'Due date', cell: (row) => <DueDate inquiry={row} />, sort: 'queue' },
    {
      id: 'received',
      header: 'Received',
      cell: (row) => formatUtcDay(row.createdAt),
      sort: 'received',
      isOptional: true,
    },
  ],
  filters: [
    choiceFilter('state', 'State', { open: 'Open', overdue: 'Overdue', answered: 'Answered' }),
    { id: 'kind', label: 'Topic', kind: 'choice', options: INQUIRY_KINDS.map((value) => ({ value, label: value })) },
    { id: 'received', label: 'Received', kind: 'days' },
  ],
  empty: 'No inquiries. Requests from the privacy page appear here, with the day to answer by.',
}
