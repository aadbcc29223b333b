import { recorded, recordedIfChanged } from '../audit/audit'
import { CALLER, type Claim, callerBinds } from '../auth/sessions'
import type { DeskExclusivePost, ExclusivePost, TierPostDraft } from '../contract/community'
import type { Db } from '../db/client'
import type { Millis } from '../lib/clock'
import { newId } from '../lib/ids'
import { limits } from '../limits'
import { OPENS } from '../tiers/gates'
import { unknownPost } from './posts'

const STANDING = `FROM posts p WHERE p.tier IN ('silver', 'gold') AND p.removed_at IS NULL
  ORDER BY p.created_at DESC, p.id DESC LIMIT ${limits.exclusivePostsShown}`

/** The words of a locked post are not even read. */
export const EXCLUSIVE = `
  WITH ${CALLER} SELECT p.id, p.title, p.tier, p.created_at AS at,
    CASE WHEN ${OPENS('p.tier', '(SELECT tier FROM caller)')} THEN p.text END AS text ${STANDING}`

type Row<Post> = Omit<Post, 'createdAt'> & { at: Millis }
const dated = <R extends { at: Millis }>({ at, ...post }: R) => ({ ...post, createdAt: new Date(at).toISOString() })

/** What the artist's people wrote for the tiers: title and lock for everybody else (ruling 34). */
export async function exclusivePosts(db: Db, claim: Claim | null): Promise<ExclusivePost[]> {
  const { results } = await db.$client
    .prepare(EXCLUSIVE)
    .bind(...callerBinds(claim))
    .all<Row<ExclusivePost>>()
  return results.map(dated)
}

const DESK = 'SELECT p.id, p.title, p.tier, p.created_at AS at, p.text'
export const TAKEN_DOWN = `${DESK} FROM posts p WHERE p.tier <> 'bronze' AND p.removed_at IS NOT NULL
  ORDER BY p.removed_at DESC, p.id DESC LIMIT ${limits.exclusivePostsShown}`

/** The same as the desk sees it, with all its words. */
export const publishedPosts = (db: Db) => deskPosts(db, `${DESK} ${STANDING}`)

/** What was taken down, the latest first: `putBack` takes any of them. */
export const takenDownPosts = (db: Db) => deskPosts(db, TAKEN_DOWN)

async function deskPosts(db: Db, sql: string): Promise<DeskExclusivePost[]> {
  const { results } = await db.$client.prepare(sql).all<Row<DeskExclusivePost>>()
  return results.map(dated)
}

type Act = { actorId: number; at: Millis }

/** The artist's people publish something for a tier and those above it. */
export async function publish(
  db: Db,
  { actorId, at, title, text, tier }: TierPostDraft & Act,
): Promise<{ id: string }> {
  const d1 = db.$client
  const id = newId('post')
  await d1.batch([
    d1
      .prepare('INSERT INTO posts (id, author_id, title, text, tier, created_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)')
      .bind(id, actorId, title, text, tier, at),
    recorded(d1, { actorId, action: 'post.published', subject: `post:${id}`, detail: { tier }, at }),
  ])
  return { id }
}

/** Changes the words of a post for a tier, or whom it is for, while it stands. @throws Refused `not_found`. */
export async function changePost(
  db: Db,
  { id, actorId, at, title, text, tier }: TierPostDraft & Act & { id: string },
): Promise<void> {
  const d1 = db.$client
  const [changed] = await d1.batch([
    d1
      .prepare(
        `UPDATE posts SET title = ?2, text = ?3, tier = ?4
         WHERE id = ?1 AND tier <> 'bronze' AND removed_at IS NULL RETURNING id`,
      )
      .bind(id, title, text, tier),
    recordedIfChanged(d1, { actorId, action: 'post.changed', subject: `post:${id}`, detail: { tier }, at }),
  ])
  if (changed?.results.length !== 1) throw unknownPost()
}

/** Takes a post for a tier off the site at once; its words stay for `putBack`. @throws Refused `not_found`. */
export const takeDown = (db: Db, act: Act & { id: string }) => moved(db, act, act.at, 'post.taken_down')

/** Puts back what was taken down, as it was and where it was. @throws Refused `not_found`. */
export const putBack = (db: Db, act: Act & { id: string }) => moved(db, act, null, 'post.put_back')

async function moved(
  db: Db,
  { id, actorId, at }: Act & { id: string },
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
    recordedIfChanged(d1, { actorId, action, subject: `post:${id}`, at }),
  ])
  if (changed?.results.length !== 1) throw unknownPost()
}
