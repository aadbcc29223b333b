import {
  CALLER_CTE,
  callerBinds,
  requireActiveSession,
  SESSION_STATUS_SQL,
  type SessionPayload,
  type SessionStatusRow,
  withSessionStatus,
} from '../auth/sessions'
import { communityApi } from '../contract/community'
import { findLinks } from '../contract/links'
import { POINTS, type PointsAward } from '../contract/points'
import { artistDay } from '../db/artist-calendar'
import type { Db } from '../db/client'
import { AppError } from '../lib/app-error'
import { HOUR_MS, type Millis, SECOND_MS } from '../lib/clock'
import { newId } from '../lib/crypto'
import { limits } from '../limits'
import { completedMissionsSql, parseCompletedMissions } from '../missions/missions'
import { publishPostImage } from '../uploads/uploads'
import { postNotFoundError } from './posts'
import { requestPreview } from './previews/previews'
import { parsePublicUrl } from './previews/public-address'

// Binds of `writePost`: ?1 to ?3 are `callerBinds` (?1 is the author), ?4 is the post, ?5 its text, ?6 the time, ?7 the
// start of the artist's day.
const POSTS_TODAY_SQL = 'FROM posts WHERE author_id = ?1 AND created_at >= ?7'

/** ?8 is the image, which must be the author's, stored, unused and not due for cleanup within an hour. */
const USABLE_IMAGE_SQL = `SELECT 1 FROM uploads WHERE id = ?8 AND owner_id = ?1 AND kind = 'picture' AND stored_at IS NOT NULL
    AND is_dropped = 0 AND created_at > ?6 - ${(limits.uploadTtlHours - 1) * HOUR_MS}
    AND NOT EXISTS (SELECT 1 FROM posts WHERE picture_id = ?8 AND id <> ?4)`

/**
 * Limits are checked in the statement that inserts, so that concurrent requests cannot exceed them. ?9 alt text, ?10
 * URL of the first link.
 */
const INSERT_POST_SQL = `
  WITH ${CALLER_CTE} INSERT INTO posts (id, author_id, text, created_at, picture_id, picture_alt, link_url)
  SELECT ?4, caller.id, ?5, ?6, ?8, ?9, ?10 FROM caller
  WHERE (SELECT count(*) ${POSTS_TODAY_SQL}) < ${limits.postsPerUserPerDay}
    AND NOT EXISTS (SELECT 1 ${POSTS_TODAY_SQL} AND text = ?5 AND removed_at IS NULL)
    AND (?8 IS NULL OR EXISTS (${USABLE_IMAGE_SQL}))
  RETURNING id`

/** Removed posts count toward the day's limit too, so that reversed points cannot be earned again. */
const AWARD_POINTS_SQL = `
  WITH ${CALLER_CTE} INSERT INTO ledger (user_id, action, key, description, points, created_at)
  SELECT caller.id, 'community_post', 'community_post:' || p.id, 'Posted in the community', ${POINTS.community_post}, ?6
  FROM caller JOIN posts p ON p.id = ?4 AND p.author_id = caller.id
  WHERE (SELECT count(*) FROM ledger l WHERE l.user_id = caller.id AND l.action = 'community_post'
    AND l.created_at >= ?7 AND l.points > 0) < ${limits.rewardedPostsPerDay}
  ON CONFLICT DO NOTHING RETURNING points`

const RESULT_SQL = withSessionStatus(`
  (SELECT points FROM caller) AS total,
  EXISTS (SELECT 1 ${POSTS_TODAY_SQL} AND text = ?5 AND id <> ?4 AND removed_at IS NULL) AS isRepeated,
  ?8 IS NULL OR EXISTS (${USABLE_IMAGE_SQL}) AS isImageUsable,
  ${completedMissionsSql("'community_post:' || ?4", '?6')} AS missions`)

type ResultRow = SessionStatusRow & { total: number; isRepeated: number; isImageUsable: number; missions: string }
type PostDraft = { session: SessionPayload; text: string; image: { id: string; alt: string } | null; at: Millis }

/**
 * Creates a post and awards its points in one batch. Returns the `link` whose preview is to be fetched, or null.
 * @throws AppError `conflict` for a duplicate text of the day, `bad_input` for an unusable image, `rate_limited`,
 * `signed_out`, `forbidden`.
 */
export async function writePost(
  db: Db,
  { session, text, image, at }: PostDraft,
): Promise<{ earned: PointsAward & { id: string }; link: string | null }> {
  const d1 = db.$client
  const today = await artistDay(db, at)
  const id = newId('post')
  const [first] = findLinks(text)
  const link = first ? (parsePublicUrl(first.url.href, null)?.href ?? null) : null
  const binds = [...callerBinds(session), id, text, at, today.beginsAt] as const
  const imageId = image?.id ?? null
  const [post, award, resultRows] = await d1.batch([
    d1.prepare(INSERT_POST_SQL).bind(...binds, imageId, image?.alt ?? '', link),
    d1.prepare(AWARD_POINTS_SQL).bind(...binds),
    d1.prepare(RESULT_SQL).bind(...binds, imageId),
    ...(imageId === null ? [] : [publishPostImage(db, { id: imageId, postId: id })]),
    ...(link === null ? [] : [requestPreview(db, { url: link, postId: id, at })]),
  ])
  const result = requireActiveSession(
    resultRows?.results[0] as ResultRow | undefined,
    communityApi.createPost.signInMessage,
  )
  if (post?.results.length === 1) {
    const [row] = (award?.results ?? []) as { points: number }[]
    const missions = parseCompletedMissions(result.missions)
    return { earned: { id, pointsAwarded: row?.points ?? 0, totalPoints: result.total, missions }, link }
  }
  if (result.isRepeated) throw new AppError('conflict', 'You have already posted this today.')
  if (!result.isImageUsable) throw new AppError('bad_input', 'That picture is gone. Please send it again.')
  throw new AppError(
    'rate_limited',
    `You can post ${limits.postsPerUserPerDay} times a day. Please come back tomorrow.`,
    {
      retryAfterSeconds: Math.ceil((today.endsAt - at) / SECOND_MS),
    },
  )
}

/** A trigger reverses the points, unless they were reversed when the post was hidden. */
const REMOVE_POST_SQL = `
  WITH ${CALLER_CTE} UPDATE posts SET text = '', removed_at = coalesce(removed_at, ?5)
  WHERE id = ?4 AND tier = 'bronze' AND text <> '' AND author_id = (SELECT id FROM caller) RETURNING id`

/**
 * Removes the caller's own post, or dismisses a hidden one; its points are reversed. @throws AppError `not_found`,
 * `signed_out`, `forbidden`.
 */
export async function removePost(
  db: Db,
  { session, id, at }: { session: SessionPayload; id: string; at: Millis },
): Promise<void> {
  const d1 = db.$client
  const [removed, statusRows] = await d1.batch([
    d1.prepare(REMOVE_POST_SQL).bind(...callerBinds(session), id, at),
    d1.prepare(SESSION_STATUS_SQL).bind(...callerBinds(session)),
  ])
  requireActiveSession(statusRows?.results[0] as SessionStatusRow | undefined, communityApi.remove.signInMessage)
  if (removed?.results.length !== 1) throw postNotFoundError()
}
