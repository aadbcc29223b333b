import { sql } from 'drizzle-orm'
import { capitalizedCountOf, countSource } from '../db/pending-tasks'

/** Posts with unreviewed reports, as in the list of reported posts; those of banned authors count too. */
export const reportedPosts = countSource<{ count: number; reports: number }>(
  'community',
  () => sql`SELECT count(DISTINCT r.post_id) AS count, count(*) AS reports FROM post_reports r
    JOIN posts p ON p.id = r.post_id JOIN users u ON u.id = p.author_id
    WHERE r.created_at > p.reviewed_at AND p.tier = 'bronze' AND p.removed_at IS NULL AND u.erased_at IS NULL`,
  ({ count, reports }) => ({
    id: 'community.reports',
    title: 'Reported posts',
    text: `${capitalizedCountOf(count, 'post')} with ${reports === 1 ? 'a report' : `${reports} reports`} to review. Keep or hide ${count === 1 ? 'it' : 'each'}.`,
    href: '/admin/community?review=next',
    action: 'Review the reports',
    dueAt: null,
    isUrgent: true,
  }),
)
