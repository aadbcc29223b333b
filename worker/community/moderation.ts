import { sql } from 'drizzle-orm'
import { recordAuditIfChanged } from '../audit/audit'
import type { ModerationQueuePost } from '../contract/community'
import type { Db } from '../db/client'
import { choiceFilter, conditionFilter, containsText, daysFilter, type ListDefinition } from '../db/list'
import type { Actor } from '../deps'
import { AppError } from '../lib/app-error'
import { type Millis, toIso } from '../lib/clock'
import { type AttachmentRow, POST_ATTACHMENTS_SQL, postNotFound, toAttachments } from './posts'

const UNREVIEWED = sql`FROM post_reports r WHERE r.post_id = p.id AND r.created_at > p.reviewed_at`
const AUTHOR = sql`JOIN users u ON u.id = p.author_id`
const REPORTED = sql`(SELECT r.post_id AS id, count(*) AS reports FROM post_reports r JOIN posts p ON p.id = r.post_id
  WHERE r.created_at > p.reviewed_at AND p.removed_at IS NULL GROUP BY r.post_id) reported`

/** Posts to moderate: all, newest first, or those with unreviewed reports, most reported first. */
export const moderatedPostList = (isReported: boolean): ListDefinition<Row, ModerationQueuePost> => ({
  select: sql`p.id, u.username AS author, u.id AS authorId, u.banned_at IS NOT NULL AS isBanned, p.text,
    p.created_at AS at, p.likes, ${sql.raw(POST_ATTACHMENTS_SQL.columns)},
    ${isReported ? sql`reported.reports` : sql`(SELECT count(*) ${UNREVIEWED})`} AS reports,
    (SELECT json_group_array(reason) FROM (
      SELECT r.reason ${UNREVIEWED} AND r.reason <> '' ORDER BY r.created_at DESC LIMIT 5)) AS reasons`,
  from: sql`${isReported ? sql`${REPORTED} JOIN posts p ON p.id = reported.id` : sql`posts p`} ${AUTHOR}
    ${sql.raw(POST_ATTACHMENTS_SQL.joins)}`,
  where: sql`p.tier = 'bronze' AND p.removed_at IS NULL AND u.erased_at IS NULL`,
  id: sql`p.id`,
  sorts: {
    created: sql`p.created_at`,
    likes: sql`p.likes`,
    ...(isReported && { reports: sql`reported.reports` }),
  },
  defaultSort: isReported ? '-reports' : '-created',
  filters: {
    tab: choiceFilter(['reported', 'all'], () => sql`true`),
    created: daysFilter(sql`p.created_at`),
    author: conditionFilter({ banned: sql`u.banned_at IS NOT NULL`, active: sql`u.banned_at IS NULL` }),
  },
  search: (q) => ({ where: containsText([sql`p.text`, sql`u.username`], q) }),
  toItem: toReviewPost,
})

type Row = Pick<ModerationQueuePost, 'id' | 'author' | 'authorId' | 'text' | 'likes' | 'reports'> &
  AttachmentRow & {
    isBanned: number
    at: Millis
    reasons: string
  }

function toReviewPost({
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
}: Row): ModerationQueuePost {
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

type ModerationAction = Actor & { id: string }

/** ?2: number of reports that the moderator saw. If there are more by now, the post stays in the queue. */
const APPROVE_POST_SQL = `
  UPDATE posts SET reviewed_at = max(reviewed_at, coalesce((SELECT max(created_at) FROM post_reports WHERE post_id = ?1), 0))
  WHERE id = ?1 AND tier = 'bronze' AND removed_at IS NULL
    AND (SELECT count(*) FROM post_reports r WHERE r.post_id = ?1 AND r.created_at > posts.reviewed_at) = ?2
  RETURNING id`

/** Dismisses the reports of a post. @throws AppError `not_found`; `conflict` if there are new ones. */
export async function approvePost(
  db: Db,
  { id, actorId, at, reports }: ModerationAction & { reports: number },
): Promise<void> {
  const d1 = db.$client
  const [approved, , existing] = await d1.batch([
    d1.prepare(APPROVE_POST_SQL).bind(id, reports),
    recordAuditIfChanged(db, { actorId, action: 'post.kept', subject: `post:${id}`, detail: { reports }, at }),
    d1.prepare("SELECT 1 FROM posts WHERE id = ?1 AND tier = 'bronze' AND removed_at IS NULL").bind(id),
  ])
  if (approved?.results.length === 1) return
  if (existing?.results.length !== 1) throw postNotFound()
  throw new AppError('conflict', 'Its reports have changed in the meantime. Please look at them again.')
}

/** Hides a post; a trigger reverses its points. @throws AppError `not_found`. */
export async function hidePost(
  db: Db,
  { id, actorId, at, reason }: ModerationAction & { reason: string },
): Promise<void> {
  const d1 = db.$client
  const [hidden] = await d1.batch([
    d1
      .prepare(
        `UPDATE posts SET removed_at = ?2, removed_for = ?3
         WHERE id = ?1 AND tier = 'bronze' AND removed_at IS NULL RETURNING id`,
      )
      .bind(id, at, reason),
    recordAuditIfChanged(db, { actorId, action: 'post.hidden', subject: `post:${id}`, detail: { reason }, at }),
  ])
  if (hidden?.results.length !== 1) throw postNotFound()
}
