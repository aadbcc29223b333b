import { recordedIfChanged } from '../audit/audit'
import type { WatchedPost } from '../contract/community'
import type { Db } from '../db/client'
import type { Millis } from '../lib/clock'
import { Refused } from '../lib/refused'
import { limits } from '../limits'
import { type Besides, shownBesides, unknownPost, WITH_IT } from './posts'

const UNSEEN = 'FROM post_reports r WHERE r.post_id = p.id AND r.created_at > p.reviewed_at'
const LOOKED_AT = "p.tier = 'bronze' AND p.removed_at IS NULL AND u.erased_at IS NULL"
const PAGE = limits.postsWatched + 1
/**
 * Reported posts, then the newest without a report, each by its own index. The page begins behind ?1 reports, ?2 the
 * instant and ?3 the id; ?4 and ?5 are the same for posts without a report.
 */
export const WATCHED = `
  WITH unseen AS (
    SELECT r.post_id AS id, count(*) AS reports FROM post_reports r JOIN posts p ON p.id = r.post_id
    WHERE r.created_at > p.reviewed_at AND p.removed_at IS NULL GROUP BY r.post_id),
  page AS (
    SELECT unseen.id, unseen.reports FROM unseen JOIN posts p ON p.id = unseen.id JOIN users u ON u.id = p.author_id
    WHERE ${LOOKED_AT} AND (unseen.reports, p.created_at, p.id) < (?1, ?2, ?3)
    UNION ALL SELECT id, 0 FROM (
      SELECT p.id FROM posts p JOIN users u ON u.id = p.author_id
      WHERE ${LOOKED_AT} AND (p.created_at, p.id) < (?4, ?5) AND p.id NOT IN (SELECT id FROM unseen)
      ORDER BY p.created_at DESC, p.id DESC LIMIT ${PAGE}))
  SELECT p.id, u.username AS author, u.id AS authorId, u.banned_at IS NOT NULL AS isBanned, p.text,
    p.created_at AS at, p.likes, ${WITH_IT.columns}, page.reports,
    (SELECT json_group_array(reason) FROM (SELECT r.reason ${UNSEEN} AND r.reason <> '' ORDER BY r.created_at DESC LIMIT 5)) AS reasons
  FROM page JOIN posts p ON p.id = page.id JOIN users u ON u.id = p.author_id ${WITH_IT.joins}
  ORDER BY page.reports DESC, p.created_at DESC, p.id DESC LIMIT ${PAGE}`

type Row = Pick<WatchedPost, 'id' | 'author' | 'authorId' | 'text' | 'likes' | 'reports'> &
  Besides & {
    isBanned: number
    at: Millis
    reasons: string
  }

/**
 * A page of what the moderators look at: reported posts first, by how many ask for it, then the newest.
 * @throws Refused `bad_input` for a cursor that we never gave.
 */
export async function watchedPosts(
  db: Db,
  cursor: string | null,
): Promise<{ posts: WatchedPost[]; next: string | null }> {
  const { results } = await db.$client
    .prepare(WATCHED)
    .bind(...boundsOf(cursor))
    .all<Row>()
  const shown = results.slice(0, limits.postsWatched)
  const last = shown.at(-1)
  const next = results.length > shown.length && last ? `${last.reports}.${last.at}.${last.id}` : null
  return { posts: shown.map(watchedPost), next }
}

const END = Number.MAX_SAFE_INTEGER

/** What ?1 to ?5 of `WATCHED` are: behind a reported post come all those without a report. */
function boundsOf(cursor: string | null): [number, Millis, string, Millis, string] {
  if (cursor === null) return [END, END, '', END, '']
  const [, reports, at, id] = /^(\d{1,9})\.(\d{1,15})\.([\w-]{1,40})$/.exec(cursor) ?? []
  if (!reports || !at || !id) throw new Refused('bad_input', 'That page of the posts does not exist.')
  const here = [Number(at), id] as const
  return Number(reports) > 0 ? [Number(reports), ...here, END, ''] : [0, ...here, ...here]
}

const watchedPost = ({ id, author, authorId, text, likes, reports, isBanned, at, reasons, ...besides }: Row) => ({
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
})

type Act = { id: string; actorId: number; at: Millis }

/** ?2 is how many reports its moderator has seen: exactly those are done with, in one statement. */
const KEPT = `
  UPDATE posts SET reviewed_at = max(reviewed_at, coalesce((SELECT max(created_at) FROM post_reports WHERE post_id = ?1), 0))
  WHERE id = ?1 AND tier = 'bronze' AND removed_at IS NULL
    AND (SELECT count(*) FROM post_reports r WHERE r.post_id = ?1 AND r.created_at > posts.reviewed_at) = ?2
  RETURNING id`

/**
 * Looked at and fine: the `reports` that were seen are done with.
 * @throws Refused `not_found`, `conflict` where there are others by now.
 */
export async function keepPost(db: Db, { id, actorId, at, reports }: Act & { reports: number }): Promise<void> {
  const d1 = db.$client
  const [kept, , there] = await d1.batch([
    d1.prepare(KEPT).bind(id, reports),
    recordedIfChanged(d1, { actorId, action: 'post.kept', subject: `post:${id}`, detail: { reports }, at }),
    d1.prepare("SELECT 1 FROM posts WHERE id = ?1 AND tier = 'bronze' AND removed_at IS NULL").bind(id),
  ])
  if (kept?.results.length === 1) return
  if (there?.results.length !== 1) throw unknownPost()
  throw new Refused('conflict', 'Its reports have changed meanwhile. Please look at them again.')
}

/** Takes a supporter's post away for good; a trigger takes its points back with it. @throws Refused `not_found`. */
export async function hidePost(db: Db, { id, actorId, at, reason }: Act & { reason: string }): Promise<void> {
  const d1 = db.$client
  const [hidden] = await d1.batch([
    d1
      .prepare(
        `UPDATE posts SET removed_at = ?2, removed_for = ?3
         WHERE id = ?1 AND tier = 'bronze' AND removed_at IS NULL RETURNING id`,
      )
      .bind(id, at, reason),
    recordedIfChanged(d1, { actorId, action: 'post.hidden', subject: `post:${id}`, detail: { reason }, at }),
  ])
  if (hidden?.results.length !== 1) throw unknownPost()
}
