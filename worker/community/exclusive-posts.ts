import { and, eq, isNull, ne } from 'drizzle-orm'
import { recordAudit, recordAuditIfChanged } from '../audit/audit'
import { isVersion, nextVersion, outdatedError, saveVersioned } from '../audit/save-versioned'
import { CALLER_CTE, callerBinds, type SessionPayload } from '../auth/sessions'
import type { ExclusivePost } from '../contract/community'
import type { ExclusivePostDraft } from '../contract/drafts'
import type { Db } from '../db/client'
import type { Actor } from '../deps'
import { AppError } from '../lib/app-error'
import { type Millis, toIso } from '../lib/clock'
import { newId } from '../lib/crypto'
import { limits } from '../limits'
import { tierAccessSql } from '../subscriptions/tier-access'
import { postNotFoundError } from './posts'
import { posts } from './posts.table'

const PUBLISHED_SQL = `FROM posts p WHERE p.tier IN ('silver', 'gold') AND p.removed_at IS NULL
  ORDER BY p.created_at DESC, p.id DESC LIMIT ${limits.maxExclusivePostsShown}`

/** Does not select the text of posts above the caller's tier. */
export const EXCLUSIVE_POSTS_SQL = `
  WITH ${CALLER_CTE} SELECT p.id, p.title, p.tier, p.created_at AS at,
    CASE WHEN ${tierAccessSql('p.tier', '(SELECT tier FROM caller)')} THEN p.text END AS text ${PUBLISHED_SQL}`

type ExclusivePostRow = Omit<ExclusivePost, 'createdAt'> & { at: Millis }

/** Exclusive posts; callers below a post's tier get its title only. */
export async function listExclusivePosts(db: Db, session: SessionPayload | null): Promise<ExclusivePost[]> {
  const { results } = await db.$client
    .prepare(EXCLUSIVE_POSTS_SQL)
    .bind(...callerBinds(session))
    .all<ExclusivePostRow>()
  return results.map(({ at, ...post }) => ({ ...post, createdAt: toIso(at) }))
}

/** Publishes a post for a tier and the tiers above it. */
export async function publishExclusivePost(
  db: Db,
  { actorId, at, title, text, tier }: ExclusivePostDraft & Actor,
): Promise<{ id: string }> {
  const d1 = db.$client
  const id = newId('post')
  await d1.batch([
    d1
      .prepare('INSERT INTO posts (id, author_id, title, text, tier, created_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)')
      .bind(id, actorId, title, text, tier, at),
    recordAudit(db, { actorId, action: 'post.published', subject: `post:${id}`, detail: { tier }, at }),
  ])
  return { id }
}

/** @throws AppError `not_found`, `conflict`. */
export async function updateExclusivePost(
  db: Db,
  { id, actorId, at, title, text, tier, version }: ExclusivePostDraft & Actor & { id: string },
): Promise<void> {
  const isPublished = and(eq(posts.id, id), ne(posts.tier, 'bronze'), isNull(posts.removedAt))
  const update = db
    .update(posts)
    .set({ title, text, tier, version: nextVersion(posts.version) })
    .where(and(isPublished, isVersion(posts.version, version)))
  const findError = async () => ((await db.$count(posts, isPublished)) === 1 ? outdatedError() : postNotFoundError())
  const audit = { actorId, action: 'post.changed', subject: `post:${id}`, detail: { tier }, at }
  await saveVersioned(db, update, audit, { findError })
}

/** @throws AppError `not_found`; `conflict` if it is unpublished already. */
export const unpublishExclusivePost = (db: Db, action: Actor & { id: string }) =>
  setRemovedAt(db, action, action.at, 'post.taken_down')

/** @throws AppError `not_found`; `conflict` if it is published already. */
export const republishExclusivePost = (db: Db, action: Actor & { id: string }) =>
  setRemovedAt(db, action, null, 'post.put_back')

async function setRemovedAt(
  db: Db,
  { id, actorId, at }: Actor & { id: string },
  removedAt: Millis | null,
  action: string,
): Promise<void> {
  const d1 = db.$client
  const [changed] = await d1.batch([
    d1
      .prepare(
        `UPDATE posts SET removed_at = ?2
         WHERE id = ?1 AND tier <> 'bronze' AND (removed_at IS NULL) <> (?2 IS NULL) RETURNING id`,
      )
      .bind(id, removedAt),
    recordAuditIfChanged(db, { actorId, action, subject: `post:${id}`, at }),
  ])
  if (changed?.results.length === 1) return
  if ((await db.$count(posts, and(eq(posts.id, id), ne(posts.tier, 'bronze')))) === 0) throw postNotFoundError()
  throw new AppError('conflict', 'Someone else has just changed this post.')
}
