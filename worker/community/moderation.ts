import { recorded, recordedIfChanged } from '../audit/audit'
import type { WatchedPost } from '../contract/community'
import type { Db } from '../db/client'
import type { Millis } from '../lib/clock'
import { newId } from '../lib/ids'
import { limits } from '../limits'
import { type Besides, shownBesides, unknownPost, WITH_IT } from './posts'

const UNSEEN = 'FROM post_reports r WHERE r.post_id = p.id AND r.created_at > p.reviewed_at'
const WATCHED = `
  SELECT p.id, u.username AS author, u.id AS authorId, u.banned_at IS NOT NULL AS isBanned, p.text,
    p.created_at AS at, p.likes, ${WITH_IT.columns},
    (SELECT count(*) ${UNSEEN}) AS reports,
    (SELECT json_group_array(reason) FROM (SELECT r.reason ${UNSEEN} AND r.reason <> '' ORDER BY r.created_at DESC LIMIT 5)) AS reasons
  FROM posts p JOIN users u ON u.id = p.author_id ${WITH_IT.joins}
  WHERE p.removed_at IS NULL AND p.tier = 'bronze' AND u.erased_at IS NULL
  ORDER BY reports DESC, p.created_at DESC, p.id LIMIT ${limits.postsWatched}`

type Row = Pick<WatchedPost, 'id' | 'author' | 'authorId' | 'text' | 'likes' | 'reports'> &
  Besides & {
    isBanned: number
    at: Millis
    reasons: string
  }

/** What the moderators look at: reported posts first, by how many ask for it, then the newest. */
export async function watchedPosts(db: Db): Promise<WatchedPost[]> {
  const { results } = await db.$client.prepare(WATCHED).all<Row>()
  return results.map(({ id, author, authorId, text, likes, reports, isBanned, at, reasons, ...besides }) => ({
    id,
    author,
    authorId,
    text,
    likes,
    reports,
    ...shownBesides(besides),
    isBanned: isBanned === 1,
    createdAt: new Date(at).toISOString(),
    reasons: JSON.parse(reasons) as string[],
  }))
}

type Act = { id: string; actorId: number; at: Millis }

/** Looked at and fine: the reports up to now are done with. @throws Refused `not_found`. */
export async function keepPost(db: Db, { id, actorId, at }: Act): Promise<void> {
  const d1 = db.$client
  const [kept] = await d1.batch([
    d1.prepare('UPDATE posts SET reviewed_at = ?2 WHERE id = ?1 AND removed_at IS NULL RETURNING id').bind(id, at),
    recordedIfChanged(d1, { actorId, action: 'post.kept', subject: `post:${id}`, at }),
  ])
  if (kept?.results.length !== 1) throw unknownPost()
}

/** Takes a post away for good; a trigger takes its points back with it. @throws Refused `not_found`. */
export async function hidePost(db: Db, { id, actorId, at, reason }: Act & { reason: string }): Promise<void> {
  const d1 = db.$client
  const [hidden] = await d1.batch([
    d1
      .prepare('UPDATE posts SET removed_at = ?2, removed_for = ?3 WHERE id = ?1 AND removed_at IS NULL RETURNING id')
      .bind(id, at, reason),
    recordedIfChanged(d1, { actorId, action: 'post.hidden', subject: `post:${id}`, detail: { reason }, at }),
  ])
  if (hidden?.results.length !== 1) throw unknownPost()
}

type Words = { title: string; text: string; tier: 'silver' | 'gold' }

/** The artist's people publish something for a tier and those above it. */
export async function publish(
  db: Db,
  { actorId, at, title, text, tier }: Words & { actorId: number; at: Millis },
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
