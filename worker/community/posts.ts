import { CALLER_CTE, callerBinds, type SessionPayload } from '../auth/sessions'
import type { HiddenPost, Post } from '../contract/community'
import type { Db } from '../db/client'
import { AppError } from '../lib/app-error'
import type { Millis } from '../lib/clock'
import { limits } from '../limits'
import { imageUrl } from '../uploads/uploads'

/** What a post shows besides its words. */
export const POST_ATTACHMENTS_SQL = {
  columns: `pic.id AS pictureId, p.picture_alt AS pictureAlt, pic.width, pic.height,
    page.url AS pageUrl, page.title AS pageTitle, page.description AS pageDescription, page.site_name AS pageSite`,
  joins: `LEFT JOIN uploads pic ON pic.id = p.picture_id
    LEFT JOIN link_previews page ON page.url = p.link_url AND page.title <> ''`,
}

/** A post that everybody may see: neither it nor its author is gone. */
export const IS_VISIBLE_SQL = 'p.removed_at IS NULL AND u.banned_at IS NULL AND u.erased_at IS NULL'

/** ?4 and ?5 are the instant and the id behind which the page begins. */
export const FEED_SQL = `
  WITH ${CALLER_CTE} SELECT p.id, u.username AS author, p.text, p.created_at AS at, p.likes, p.author_id = (SELECT id FROM caller) AS mine,
    ${POST_ATTACHMENTS_SQL.columns},
    EXISTS (SELECT 1 FROM post_likes l WHERE l.post_id = p.id AND l.user_id = (SELECT id FROM caller)) AS liked
  FROM posts p JOIN users u ON u.id = p.author_id ${POST_ATTACHMENTS_SQL.joins}
  WHERE p.tier = 'bronze' AND (p.created_at, p.id) < (?4, ?5) AND ${IS_VISIBLE_SQL}
  ORDER BY p.created_at DESC, p.id DESC LIMIT ${limits.postsPageSize + 1}`

type Row = Pick<Post, 'id' | 'author' | 'text' | 'likes'> &
  AttachmentRow & { at: Millis; mine: number | null; liked: number }

/** A page of the community's posts, newest first. @throws AppError `bad_input` for a cursor that we never gave. */
export async function listPosts(
  db: Db,
  { session, cursor }: { session: SessionPayload | null; cursor: string | null },
): Promise<{ posts: Post[]; next: string | null }> {
  const [at, id] = cursor === null ? [Number.MAX_SAFE_INTEGER, ''] : parseCursor(cursor)
  const { results } = await db.$client
    .prepare(FEED_SQL)
    .bind(...callerBinds(session), at, id)
    .all<Row>()
  const shown = results.slice(0, limits.postsPageSize)
  const last = shown.at(-1)
  return {
    posts: shown.map(({ id, author, text, likes, at, mine, liked, ...attachments }) => ({
      id,
      author,
      text,
      likes,
      ...toAttachments(attachments),
      createdAt: new Date(at).toISOString(),
      mine: mine === 1,
      liked: liked === 1,
    })),
    next: results.length > shown.length && last ? `${last.at}.${last.id}` : null,
  }
}

const HIDDEN_POSTS_SQL = `
  SELECT id, text, removed_for AS reason, created_at AS at, removed_at AS hiddenAt FROM posts
  WHERE author_id = ?1 AND removed_for IS NOT NULL AND text <> '' ORDER BY removed_at DESC, id LIMIT ${limits.postsPageSize}`

/** What the moderators hid of somebody's, the latest first: its author reads why, and nobody else anything. */
export async function listHiddenPosts(db: Db, authorId: number): Promise<HiddenPost[]> {
  const { results } = await db.$client
    .prepare(HIDDEN_POSTS_SQL)
    .bind(authorId)
    .all<Pick<HiddenPost, 'id' | 'text' | 'reason'> & { at: Millis; hiddenAt: Millis }>()
  return results.map(({ at, hiddenAt, ...post }) => ({
    ...post,
    createdAt: new Date(at).toISOString(),
    hiddenAt: new Date(hiddenAt).toISOString(),
  }))
}

export type AttachmentRow = {
  pictureId: string | null
  pictureAlt: string
  width: number | null
  height: number | null
  pageUrl: string | null
  pageTitle: string
  pageDescription: string
  pageSite: string
}

/** A row's picture and preview as they go out. */
export function toAttachments(row: AttachmentRow): Pick<Post, 'picture' | 'preview'> {
  const { pictureId, pictureAlt: alt, width, height, pageUrl, pageTitle, pageDescription, pageSite } = row
  return {
    picture: pictureId === null ? null : { url: imageUrl(pictureId), alt, width: width ?? 0, height: height ?? 0 },
    preview: pageUrl === null ? null : { url: pageUrl, title: pageTitle, description: pageDescription, site: pageSite },
  }
}

export const postNotFound = () => new AppError('not_found', 'That post does not exist.')

function parseCursor(cursor: string): [Millis, string] {
  const [, at, id] = /^(\d{1,15})\.([\w-]{1,40})$/.exec(cursor) ?? []
  if (!at || !id) throw new AppError('bad_input', 'That page of the community does not exist.')
  return [Number(at), id]
}
