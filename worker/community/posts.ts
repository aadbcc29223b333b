import {
  CALLER_CTE,
  callerBinds,
  requireActiveSession,
  type SessionPayload,
  type SessionStatusRow,
  withSessionStatus,
} from '../auth/sessions'
import { communityApi, type HiddenPost, type Post } from '../contract/community'
import type { Db } from '../db/client'
import { paginate, parseCursor } from '../db/pagination'
import { AppError } from '../lib/app-error'
import { type Millis, toIso } from '../lib/clock'
import { limits } from '../limits'
import { imageUrl } from '../uploads/uploads'

/** SQL columns and joins of a post's image and link preview. */
export const POST_ATTACHMENTS_SQL = {
  columns: `pic.id AS imageId, p.picture_alt AS imageAlt, pic.width, pic.height,
    page.url AS pageUrl, page.title AS pageTitle, page.description AS pageDescription, page.site_name AS pageSite`,
  joins: `LEFT JOIN uploads pic ON pic.id = p.picture_id
    LEFT JOIN link_previews page ON page.url = p.link_url AND page.title <> ''`,
}

/** SQL condition: post `p` is not removed, and its author `u` is neither banned nor erased. */
const IS_VISIBLE_SQL = 'p.removed_at IS NULL AND u.banned_at IS NULL AND u.erased_at IS NULL'

/** ?4, ?5: timestamp and id of the cursor. */
export const FEED_SQL = `
  WITH ${CALLER_CTE} SELECT p.id, u.username AS author, p.text, p.created_at AS at, p.likes, p.author_id = (SELECT id FROM caller) AS mine,
    ${POST_ATTACHMENTS_SQL.columns},
    EXISTS (SELECT 1 FROM post_likes l WHERE l.post_id = p.id AND l.user_id = (SELECT id FROM caller)) AS liked
  FROM posts p JOIN users u ON u.id = p.author_id ${POST_ATTACHMENTS_SQL.joins}
  WHERE p.tier = 'bronze' AND (p.created_at, p.id) < (?4, ?5) AND ${IS_VISIBLE_SQL}
  ORDER BY p.created_at DESC, p.id DESC LIMIT ${limits.postsPageSize + 1}`

type PostRow = Pick<Post, 'id' | 'author' | 'text' | 'likes'> &
  AttachmentRow & { at: Millis; mine: number | null; liked: number }

/** A page of posts, newest first. @throws AppError `bad_input` for a malformed cursor. */
export async function listPosts(
  db: Db,
  { session, cursor }: { session: SessionPayload | null; cursor: string | null },
): Promise<{ posts: Post[]; next: string | null }> {
  const { at, id } = parseCursor(cursor)
  const { results } = await db.$client
    .prepare(FEED_SQL)
    .bind(...callerBinds(session), at, id)
    .all<PostRow>()
  const { rows, next } = paginate(results, limits.postsPageSize)
  return {
    posts: rows.map(({ id, author, text, likes, at, mine, liked, ...attachments }) => ({
      id,
      author,
      text,
      likes,
      ...toAttachments(attachments),
      createdAt: toIso(at),
      mine: mine === 1,
      liked: liked === 1,
    })),
    next,
  }
}

const HIDDEN_POSTS_SQL = `
  SELECT id, text, removed_for AS reason, created_at AS at, removed_at AS hiddenAt FROM posts
  WHERE author_id = ?1 AND removed_for IS NOT NULL AND text <> '' ORDER BY removed_at DESC, id LIMIT ${limits.postsPageSize}`

/** The author's posts that administrators hid, with the reasons, last hidden first. */
export async function listHiddenPosts(db: Db, authorId: number): Promise<HiddenPost[]> {
  const { results } = await db.$client
    .prepare(HIDDEN_POSTS_SQL)
    .bind(authorId)
    .all<Pick<HiddenPost, 'id' | 'text' | 'reason'> & { at: Millis; hiddenAt: Millis }>()
  return results.map(({ at, hiddenAt, ...post }) => ({
    ...post,
    createdAt: toIso(at),
    hiddenAt: toIso(hiddenAt),
  }))
}

export type AttachmentRow = {
  imageId: string | null
  imageAlt: string
  width: number | null
  height: number | null
  pageUrl: string | null
  pageTitle: string
  pageDescription: string
  pageSite: string
}

export function toAttachments(row: AttachmentRow): Pick<Post, 'picture' | 'preview'> {
  const { imageId, imageAlt: alt, width, height, pageUrl, pageTitle, pageDescription, pageSite } = row
  return {
    picture: imageId === null ? null : { url: imageUrl(imageId), alt, width: width ?? 0, height: height ?? 0 },
    preview: pageUrl === null ? null : { url: pageUrl, title: pageTitle, description: pageDescription, site: pageSite },
  }
}

export const postNotFoundError = () => new AppError('not_found', 'That post does not exist.')

// ?4 post, ?5 now. `runPostAction` binds ?5 in every statement that changes rows, so UNLIKE_SQL must use it too.
const VISIBLE_POST_SQL = `FROM posts p JOIN users u ON u.id = p.author_id WHERE p.id = ?4 AND p.tier = 'bronze' AND ${IS_VISIBLE_SQL}`
const LIKE_SQL = `
  WITH ${CALLER_CTE} INSERT INTO post_likes (post_id, user_id, liked_at)
  SELECT visible.id, caller.id, ?5 FROM (SELECT p.id ${VISIBLE_POST_SQL}) visible JOIN caller WHERE true ON CONFLICT DO NOTHING`
const UNLIKE_SQL = `
  WITH ${CALLER_CTE} DELETE FROM post_likes WHERE post_id = ?4 AND user_id = (SELECT id FROM caller) AND ?5 = ?5`
/**
 * ?6 reason. Authors cannot report their own post. A review covers all reports up to `reviewed_at`, so a later report
 * gets a later timestamp, even in the same millisecond.
 */
const REPORT_SQL = `
  WITH ${CALLER_CTE} INSERT INTO post_reports (post_id, user_id, reason, created_at)
  SELECT visible.id, caller.id, ?6, max(?5, visible.reviewed_at + 1)
  FROM (SELECT p.id, p.author_id, p.reviewed_at ${VISIBLE_POST_SQL}) visible JOIN caller
  WHERE visible.author_id <> caller.id ON CONFLICT DO NOTHING`
const RESULT_SQL = withSessionStatus(`
  (SELECT p.likes ${VISIBLE_POST_SQL}) AS likes,
  EXISTS (SELECT 1 FROM post_likes WHERE post_id = ?4 AND user_id = ?1) AS liked`)

type PostActionRow = SessionStatusRow & { likes: number | null; liked: number }
type PostAction = { session: SessionPayload; id: string; at: Millis }

/** Likes a post; idempotent. Returns its likes. @throws AppError `not_found`, `signed_out`, `forbidden`. */
export const likePost = (db: Db, action: PostAction) => runPostAction(db, LIKE_SQL, action)

/** Takes a like back; idempotent. Returns the post's likes. @throws AppError as `likePost`. */
export const unlikePost = (db: Db, action: PostAction) => runPostAction(db, UNLIKE_SQL, action)

/** Reports a post to the administrators, once per user. @throws AppError `not_found`, `signed_out`, `forbidden`. */
export async function reportPost(db: Db, { reason, ...action }: PostAction & { reason: string }): Promise<void> {
  await runPostAction(db, REPORT_SQL, action, reason)
}

async function runPostAction(db: Db, changeSql: string, { session, id, at }: PostAction, ...extraBinds: string[]) {
  const d1 = db.$client
  const binds = [...callerBinds(session), id] as const
  const [, resultRows] = await d1.batch([
    d1.prepare(changeSql).bind(...binds, at, ...extraBinds),
    d1.prepare(RESULT_SQL).bind(...binds),
  ])
  const result = requireActiveSession(
    resultRows?.results[0] as PostActionRow | undefined,
    communityApi.like.signInMessage,
  )
  if (result.likes === null) throw postNotFoundError()
  return { likes: result.likes, liked: result.liked === 1 }
}
