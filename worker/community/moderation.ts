import { recordAuditIfChanged } from '../audit/audit'
import type { ModerationQueuePost } from '../contract/community'
import type { Db } from '../db/client'
import { AppError } from '../lib/app-error'
import type { Millis } from '../lib/clock'
import { limits } from '../limits'
import { type AttachmentRow, POST_ATTACHMENTS_SQL, postNotFound, toAttachments } from './posts'

const UNREVIEWED_REPORTS_SQL = 'FROM post_reports r WHERE r.post_id = p.id AND r.created_at > p.reviewed_at'
const IS_MODERATED_SQL = "p.tier = 'bronze' AND p.removed_at IS NULL AND u.erased_at IS NULL"
const PAGE_SIZE = limits.moderationPageSize + 1
/**
 * Reported posts, then the newest without a report, each from its own index. Cursor: ?1 reports, ?2 timestamp and ?3
 * id; ?4 and ?5 for posts without a report.
 */
export const REVIEW_QUEUE_SQL = `
  WITH unreviewed AS (
    SELECT r.post_id AS id, count(*) AS reports FROM post_reports r JOIN posts p ON p.id = r.post_id
    WHERE r.created_at > p.reviewed_at AND p.removed_at IS NULL GROUP BY r.post_id),
  page AS (
    SELECT unreviewed.id, unreviewed.reports FROM unreviewed JOIN posts p ON p.id = unreviewed.id JOIN users u ON u.id = p.author_id
    WHERE ${IS_MODERATED_SQL} AND (unreviewed.reports, p.created_at, p.id) < (?1, ?2, ?3)
    UNION ALL SELECT id, 0 FROM (
      SELECT p.id FROM posts p JOIN users u ON u.id = p.author_id
      WHERE ${IS_MODERATED_SQL} AND (p.created_at, p.id) < (?4, ?5) AND p.id NOT IN (SELECT id FROM unreviewed)
      ORDER BY p.created_at DESC, p.id DESC LIMIT ${PAGE_SIZE}))
  SELECT p.id, u.username AS author, u.id AS authorId, u.banned_at IS NOT NULL AS isBanned, p.text,
    p.created_at AS at, p.likes, ${POST_ATTACHMENTS_SQL.columns}, page.reports,
    (SELECT json_group_array(reason) FROM (SELECT r.reason ${UNREVIEWED_REPORTS_SQL} AND r.reason <> '' ORDER BY r.created_at DESC LIMIT 5)) AS reasons
  FROM page JOIN posts p ON p.id = page.id JOIN users u ON u.id = p.author_id ${POST_ATTACHMENTS_SQL.joins}
  ORDER BY page.reports DESC, p.created_at DESC, p.id DESC LIMIT ${PAGE_SIZE}`

type Row = Pick<ModerationQueuePost, 'id' | 'author' | 'authorId' | 'text' | 'likes' | 'reports'> &
  AttachmentRow & {
    isBanned: number
    at: Millis
    reasons: string
  }

/**
 * A page of posts to moderate: by number of reports, then newest. @throws AppError `bad_input` for a malformed cursor.
 */
export async function listReviewQueue(
  db: Db,
  cursor: string | null,
): Promise<{ posts: ModerationQueuePost[]; next: string | null }> {
  const { results } = await db.$client
    .prepare(REVIEW_QUEUE_SQL)
    .bind(...cursorBinds(cursor))
    .all<Row>()
  const page = results.slice(0, limits.moderationPageSize)
  const last = page.at(-1)
  const next = results.length > page.length && last ? `${last.reports}.${last.at}.${last.id}` : null
  return { posts: page.map(toReviewPost), next }
}

const MAX_CURSOR = Number.MAX_SAFE_INTEGER

/** Values of ?1 to ?5: posts without a report follow all reported ones. */
function cursorBinds(cursor: string | null): [number, Millis, string, Millis, string] {
  if (cursor === null) return [MAX_CURSOR, MAX_CURSOR, '', MAX_CURSOR, '']
  const [, reports, at, id] = /^(\d{1,9})\.(\d{1,15})\.([\w-]{1,40})$/.exec(cursor) ?? []
  if (!reports || !at || !id) throw new AppError('bad_input', 'That page of the posts does not exist.')
  const position = [Number(at), id] as const
  return Number(reports) > 0 ? [Number(reports), ...position, MAX_CURSOR, ''] : [0, ...position, ...position]
}

const toReviewPost = ({ id, author, authorId, text, likes, reports, isBanned, at, reasons, ...attachments }: Row) => ({
  id,
  author,
  authorId,
  text,
  likes,
  reports,
  ...toAttachments(attachments),
  isBanned: isBanned === 1,
  createdAt: new Date(at).toISOString(),
  reasons: JSON.parse(reasons) as string[],
})

type ModerationAction = { id: string; actorId: number; at: Millis }

/** ?2: number of reports the moderator has seen; with more reports by now the post stays in the queue. */
const APPROVE_POST_SQL = `
  UPDATE posts SET reviewed_at = max(reviewed_at, coalesce((SELECT max(created_at) FROM post_reports WHERE post_id = ?1), 0))
  WHERE id = ?1 AND tier = 'bronze' AND removed_at IS NULL
    AND (SELECT count(*) FROM post_reports r WHERE r.post_id = ?1 AND r.created_at > posts.reviewed_at) = ?2
  RETURNING id`

/** Dismisses the reports of a post. @throws AppError `not_found`; `conflict` if there are others by now. */
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
