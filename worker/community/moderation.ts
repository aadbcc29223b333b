import { recordAuditIfChanged } from '../audit/audit'
import type { Db } from '../db/client'
import type { Actor } from '../deps'
import { AppError } from '../lib/app-error'
import { postNotFoundError } from './posts'

type ModerationAction = Actor & { id: string }

/** ?2: number of reports that the administrator saw. If there are more by now, the post stays in the queue. */
const DISMISS_REPORTS_SQL = `
  UPDATE posts SET reviewed_at = max(reviewed_at, coalesce((SELECT max(created_at) FROM post_reports WHERE post_id = ?1), 0))
  WHERE id = ?1 AND tier = 'bronze' AND removed_at IS NULL
    AND (SELECT count(*) FROM post_reports r WHERE r.post_id = ?1 AND r.created_at > posts.reviewed_at) = ?2
  RETURNING id`

/**
 * Dismisses the reports of a post, which stays visible.
 * @throws AppError `not_found`; `conflict` if there are new reports, or if the reports were dismissed meanwhile.
 */
export async function dismissReports(
  db: Db,
  { id, actorId, at, reports }: ModerationAction & { reports: number },
): Promise<void> {
  const d1 = db.$client
  const [dismissed, , existing] = await d1.batch([
    d1.prepare(DISMISS_REPORTS_SQL).bind(id, reports),
    recordAuditIfChanged(db, { actorId, action: 'post.kept', subject: `post:${id}`, detail: { reports }, at }),
    d1.prepare("SELECT 1 FROM posts WHERE id = ?1 AND tier = 'bronze' AND removed_at IS NULL").bind(id),
  ])
  if (dismissed?.results.length === 1) return
  if (existing?.results.length !== 1) throw postNotFoundError()
  throw new AppError('conflict', 'The post’s reports have changed in the meantime. Please look at them again.')
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
  if (hidden?.results.length !== 1) throw postNotFoundError()
}
