import { recordAudit, recordAuditIfChanged } from '../audit/audit'
import { CALLER_CTE, callerBinds, type SessionPayload } from '../auth/sessions'
import type { AdminExclusivePost, ExclusivePost, TierPostDraft } from '../contract/community'
import type { Db } from '../db/client'
import type { Millis } from '../lib/clock'
import { newId } from '../lib/crypto'
import { limits } from '../limits'
import { tierAccessSql } from '../subscriptions/tier-access'
import { postNotFound } from './posts'

const PUBLISHED_SQL = `FROM posts p WHERE p.tier IN ('silver', 'gold') AND p.removed_at IS NULL
  ORDER BY p.created_at DESC, p.id DESC LIMIT ${limits.maxExclusivePostsShown}`

/** The text of a locked post is not selected. */
export const EXCLUSIVE_POSTS_SQL = `
  WITH ${CALLER_CTE} SELECT p.id, p.title, p.tier, p.created_at AS at,
    CASE WHEN ${tierAccessSql('p.tier', '(SELECT tier FROM caller)')} THEN p.text END AS text ${PUBLISHED_SQL}`

type Row<Post> = Omit<Post, 'createdAt'> & { at: Millis }
const toWirePost = <R extends { at: Millis }>({ at, ...post }: R) => ({
  ...post,
  createdAt: new Date(at).toISOString(),
})

/** Posts for tiers; callers without the tier get the title only. */
export async function listExclusivePosts(db: Db, session: SessionPayload | null): Promise<ExclusivePost[]> {
  const { results } = await db.$client
    .prepare(EXCLUSIVE_POSTS_SQL)
    .bind(...callerBinds(session))
    .all<Row<ExclusivePost>>()
  return results.map(toWirePost)
}

const ADMIN_COLUMNS_SQL = 'SELECT p.id, p.title, p.tier, p.created_at AS at, p.text'
export const UNPUBLISHED_SQL = `${ADMIN_COLUMNS_SQL} FROM posts p WHERE p.tier <> 'bronze' AND p.removed_at IS NOT NULL
  ORDER BY p.removed_at DESC, p.id DESC LIMIT ${limits.maxExclusivePostsShown}`

/** Published tier posts for admins, with their texts. */
export const listPublishedPosts = (db: Db) => selectAdminPosts(db, `${ADMIN_COLUMNS_SQL} ${PUBLISHED_SQL}`)

/** Posts taken down, newest first; `restorePost` publishes them again. */
export const listUnpublishedPosts = (db: Db) => selectAdminPosts(db, UNPUBLISHED_SQL)

async function selectAdminPosts(db: Db, sql: string): Promise<AdminExclusivePost[]> {
  const { results } = await db.$client.prepare(sql).all<Row<AdminExclusivePost>>()
  return results.map(toWirePost)
}

type AdminAction = { actorId: number; at: Millis }

/** Publishes a post for a tier and those above it. */
export async function publishPost(
  db: Db,
  { actorId, at, title, text, tier }: TierPostDraft & AdminAction,
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

/** @throws AppError `not_found`. */
export async function updateExclusivePost(
  db: Db,
  { id, actorId, at, title, text, tier }: TierPostDraft & AdminAction & { id: string },
): Promise<void> {
  const d1 = db.$client
  const [changed] = await d1.batch([
    d1
      .prepare(
        `UPDATE posts SET title = ?2, text = ?3, tier = ?4
         WHERE id = ?1 AND tier <> 'bronze' AND removed_at IS NULL RETURNING id`,
      )
      .bind(id, title, text, tier),
    recordAuditIfChanged(db, { actorId, action: 'post.changed', subject: `post:${id}`, detail: { tier }, at }),
  ])
  if (changed?.results.length !== 1) throw postNotFound()
}

/** @throws AppError `not_found`. */
export const unpublishPost = (db: Db, action: AdminAction & { id: string }) =>
  setRemovedAt(db, action, action.at, 'post.taken_down')

/** @throws AppError `not_found`. */
export const restorePost = (db: Db, action: AdminAction & { id: string }) =>
  setRemovedAt(db, action, null, 'post.put_back')

async function setRemovedAt(
  db: Db,
  { id, actorId, at }: AdminAction & { id: string },
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
  if (changed?.results.length !== 1) throw postNotFound()
}
