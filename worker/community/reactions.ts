import {
  CALLER_CTE,
  callerBinds,
  requireActiveSession,
  type SessionPayload,
  type SessionStatusRow,
  withSessionStatus,
} from '../auth/sessions'
import { communityApi } from '../contract/community'
import type { Db } from '../db/client'
import type { Millis } from '../lib/clock'
import { IS_VISIBLE_SQL, postNotFound } from './posts'

// ?4 post, ?5 now.
const VISIBLE_POST_SQL = `FROM posts p JOIN users u ON u.id = p.author_id WHERE p.id = ?4 AND p.tier = 'bronze' AND ${IS_VISIBLE_SQL}`
const LIKE_SQL = `
  WITH ${CALLER_CTE} INSERT INTO post_likes (post_id, user_id, liked_at)
  SELECT seen.id, caller.id, ?5 FROM (SELECT p.id ${VISIBLE_POST_SQL}) seen JOIN caller WHERE true ON CONFLICT DO NOTHING`
const UNLIKE_SQL = `
  WITH ${CALLER_CTE} DELETE FROM post_likes WHERE post_id = ?4 AND user_id = (SELECT id FROM caller) AND ?5 = ?5`
/** ?6 reason. Nobody reports their own. One that was begun before a review and arrives behind it is still to be seen. */
const REPORT_SQL = `
  WITH ${CALLER_CTE} INSERT INTO post_reports (post_id, user_id, reason, created_at)
  SELECT seen.id, caller.id, ?6, max(?5, seen.reviewed_at + 1)
  FROM (SELECT p.id, p.author_id, p.reviewed_at ${VISIBLE_POST_SQL}) seen JOIN caller
  WHERE seen.author_id <> caller.id ON CONFLICT DO NOTHING`
const RESULT_SQL = withSessionStatus(`
  (SELECT p.likes ${VISIBLE_POST_SQL}) AS likes,
  EXISTS (SELECT 1 FROM post_likes WHERE post_id = ?4 AND user_id = ?1) AS liked`)

type ReactionRow = SessionStatusRow & { likes: number | null; liked: number }
type Reaction = { session: SessionPayload; id: string; at: Millis }

/** The bearer of `session` likes a post; liking twice is liking once. @throws AppError `not_found`, `signed_out`, `forbidden`. */
export const likePost = (db: Db, act: Reaction) => runReaction(db, LIKE_SQL, act)

/** Takes a like back. @throws AppError `not_found`, `signed_out`, `forbidden`. */
export const unlikePost = (db: Db, act: Reaction) => runReaction(db, UNLIKE_SQL, act)

/** Asks the moderators to look at a post, once a person. @throws AppError `not_found`, `signed_out`, `forbidden`. */
export async function reportPost(db: Db, { reason, ...act }: Reaction & { reason: string }): Promise<void> {
  await runReaction(db, REPORT_SQL, act, reason)
}

async function runReaction(db: Db, change: string, { session, id, at }: Reaction, ...more: string[]) {
  const d1 = db.$client
  const binds = [...callerBinds(session), id] as const
  const [, explanation] = await d1.batch([
    d1.prepare(change).bind(...binds, at, ...more),
    d1.prepare(RESULT_SQL).bind(...binds),
  ])
  const result = requireActiveSession(
    explanation?.results[0] as ReactionRow | undefined,
    communityApi.like.signInMessage,
  )
  if (result.likes === null) throw postNotFound()
  return { likes: result.likes, liked: result.liked === 1 }
}
