import { sql } from 'drizzle-orm'
import { countSource } from '../db/pending-tasks'

/** Emails that failed, or that may not have been delivered. */
export const failedEmails = countSource<{ count: number; unknown: number | null }>(
  'email',
  () =>
    sql`SELECT count(*) AS count, sum(state = 'unknown') AS unknown FROM outbox WHERE state IN ('failed', 'unknown')`,
  ({ count, unknown }) => ({
    id: 'email.failed',
    title: 'Emails that failed',
    text: `Delivery of ${count === 1 ? 'one email' : `${count} emails`} failed or is uncertain${unknown ? `; ${unknown} may have arrived` : ''}.`,
    href: '/admin/email',
    action: 'Open the outbox',
    dueAt: null,
    isUrgent: true,
  }),
)
