import { sql } from 'drizzle-orm'
import type { AdminExclusivePost, ModeratedPost } from '../contract/community'
import { PAID_TIERS } from '../contract/subscriptions'
import { choiceFilter, columnFilter, conditionFilter, containsText, daysFilter, type ListDefinition } from '../db/list'
import { type Millis, toIso } from '../lib/clock'
import { type AttachmentRow, POST_ATTACHMENTS_SQL, toAttachments } from './posts'

const UNREVIEWED_REPORTS = sql`FROM post_reports r WHERE r.post_id = p.id AND r.created_at > p.reviewed_at`
const JOIN_AUTHOR = sql`JOIN users u ON u.id = p.author_id`
/** Ids of posts with unreviewed reports, and the number of these reports. */
const REPORTED_POSTS = sql`(SELECT r.post_id AS id, count(*) AS reports FROM post_reports r JOIN posts p ON p.id = r.post_id
  WHERE r.created_at > p.reviewed_at AND p.removed_at IS NULL GROUP BY r.post_id) reported`

/** Posts to moderate: all, newest first, or those with unreviewed reports, most reported first. */
export const moderatedPostList = (reportedOnly: boolean): ListDefinition<ModeratedPostRow, ModeratedPost> => ({
  select: sql`p.id, u.username AS author, u.id AS authorId, u.banned_at IS NOT NULL AS isBanned, p.text,
    p.created_at AS at, p.likes, ${sql.raw(POST_ATTACHMENTS_SQL.columns)},
    ${reportedOnly ? sql`reported.reports` : sql`(SELECT count(*) ${UNREVIEWED_REPORTS})`} AS reports,
    (SELECT json_group_array(reason) FROM (
      SELECT r.reason ${UNREVIEWED_REPORTS} AND r.reason <> '' ORDER BY r.created_at DESC LIMIT 5)) AS reasons`,
  from: sql`${reportedOnly ? sql`${REPORTED_POSTS} JOIN posts p ON p.id = reported.id` : sql`posts p`} ${JOIN_AUTHOR}
    ${sql.raw(POST_ATTACHMENTS_SQL.joins)}`,
  where: sql`p.tier = 'bronze' AND p.removed_at IS NULL AND u.erased_at IS NULL`,
  id: sql`p.id`,
  sorts: {
    created: sql`p.created_at`,
    likes: sql`p.likes`,
    ...(reportedOnly && { reports: sql`reported.reports` }),
  },
  defaultSort: reportedOnly ? '-reports' : '-created',
  filters: {
    // The tab has already selected this list, so its filter accepts every row.
    tab: choiceFilter(['reported', 'all'], () => sql`true`),
    created: daysFilter(sql`p.created_at`),
    author: conditionFilter({ banned: sql`u.banned_at IS NOT NULL`, active: sql`u.banned_at IS NULL` }),
  },
  search: (q) => ({ where: containsText([sql`p.text`, sql`u.username`], q) }),
  toItem: toModeratedPost,
})

type ModeratedPostRow = Pick<ModeratedPost, 'id' | 'author' | 'authorId' | 'text' | 'likes' | 'reports'> &
  AttachmentRow & {
    isBanned: number
    at: Millis
    reasons: string
  }

function toModeratedPost({
  id,
  author,
  authorId,
  text,
  likes,
  reports,
  isBanned,
  at,
  reasons,
  ...attachments
}: ModeratedPostRow): ModeratedPost {
  return {
    id,
    author,
    authorId,
    text,
    likes,
    reports,
    ...toAttachments(attachments),
    isBanned: isBanned === 1,
    createdAt: toIso(at),
    reasons: JSON.parse(reasons) as string[],
  }
}

type ExclusivePostRow = Omit<AdminExclusivePost, 'createdAt' | 'removedAt'> & { at: Millis; removedAt: Millis | null }

/** Exclusive posts, published and unpublished, newest first. */
export const exclusivePostList: ListDefinition<ExclusivePostRow, AdminExclusivePost> = {
  select: sql`p.id, p.title, p.tier, p.text, p.version, p.created_at AS at, p.removed_at AS removedAt`,
  from: sql`posts p`,
  where: sql`p.tier IN ('silver', 'gold')`,
  id: sql`p.id`,
  sorts: { created: sql`p.created_at`, title: sql`lower(p.title)` },
  defaultSort: '-created',
  filters: {
    id: (id) => sql`p.id = ${id}`,
    tier: columnFilter(sql`p.tier`, PAID_TIERS),
    state: conditionFilter({ published: sql`p.removed_at IS NULL`, unpublished: sql`p.removed_at IS NOT NULL` }),
    created: daysFilter(sql`p.created_at`),
  },
  search: (q) => ({ where: containsText([sql`p.title`, sql`p.text`], q) }),
  toItem: ({ at, removedAt, ...post }) => ({ ...post, createdAt: toIso(at), removedAt: toIso(removedAt) }),
}
