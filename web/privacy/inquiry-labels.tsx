import type { Inquiry } from '../../worker/contract/privacy'

const dayFormat = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })

/** A day in UTC, as in the emails about inquiries. */
export const formatUtcDay = (at: string) => dayFormat.format(new Date(at))

export const senderOf = ({ username, email }: Inquiry) => username ?? (email || 'Erased')

/** The day to answer by, or when it was answered. */
export function DueDate({ inquiry: { dueAt, answeredAt } }: { inquiry: Inquiry }) {
  if (answeredAt) return <span className="text-muted">Answered {formatUtcDay(answeredAt)}</span>
  const isOverdue = Date.parse(dueAt) < Date.now()
  return (
    <span className={isOverdue ? 'text-sunset' : undefined}>
      {isOverdue ? 'Overdue since' : 'Due'} {formatUtcDay(dueAt)}
    </span>
  )
}
