import { sql } from 'drizzle-orm'
import { countSource } from '../db/pending-tasks'
import { DAY_MS, type Millis, toIso } from '../lib/clock'

const URGENT_LEAD_MS: Millis = 7 * DAY_MS

/** Inquiries without an answer; the link leads to the one that is due first. */
export const openInquiries = countSource<{
  count: number
  dueAt: Millis | null
  late: number | null
  id: string | null
}>(
  'privacy',
  // With min(), SQLite takes `id` from the row with the minimum.
  (at) => sql`SELECT count(*) AS count, min(due_at) AS dueAt, sum(due_at <= ${at}) AS late, id FROM privacy_inquiries
    WHERE answered_at IS NULL`,
  ({ count, dueAt, late, id }, at) => ({
    id: 'privacy.inquiries',
    title: 'Privacy inquiries',
    text: `${count === 1 ? 'One inquiry' : `${count} inquiries`} to answer${late ? `, ${late} overdue` : ''}.`,
    href: `/admin/privacy/${id}`,
    action: 'Answer the inquiries',
    dueAt: toIso(dueAt),
    isUrgent: dueAt !== null && dueAt - at < URGENT_LEAD_MS,
  }),
)
