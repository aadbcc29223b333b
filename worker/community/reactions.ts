import { explained, mustStand, type Stands } from '../auth/joined'
import { CALLER, type Claim, callerBinds } from '../auth/sessions'
import { communityApi } from '../contract/community'
import type { Db } from '../db/client'
import type { Millis } from '../lib/clock'
import { SEEN, unknownPost } from './posts'

// ?4 post, ?5 now.
const POST = `FROM posts p JOIN users u ON u.id = p.author_id WHERE p.id = ?4 AND p.tier = 'bronze' AND ${SEEN}`
const LIKE = `
  WITH ${CALLER} INSERT INTO post_likes (post_id, user_id, liked_at)
  SELECT seen.id, caller.id, ?5 FROM (SELECT p.id ${POST}) seen JOIN caller WHERE true ON CONFLICT DO NOTHING`
const UNLIKE = `
  WITH ${CALLER} DELETE FROM post_likes WHERE post_id = ?4 AND user_id = (SELECT id FROM caller) AND ?5 = ?5`
/** ?6 reason. Nobody reports their own. One that was begun before a review and arrives behind it is still to be seen. */
const REPORT = `
  WITH ${CALLER} INSERT INTO post_reports (post_id, user_id, reason, created_at)
  SELECT seen.id, caller.id, ?6, max(?5, seen.reviewed_at + 1)
  FROM (SELECT p.id, p.author_id, p.reviewed_at ${POST}) seen JOIN caller
  WHERE seen.author_id <> caller.id ON CONFLICT DO NOTHING`
const OUTCOME = explained(`
  (SELECT p.likes ${POST}) AS likes,
  EXISTS (SELECT 1 FROM post_likes WHERE post_id = ?4 AND user_id = ?1) AS liked`)

type Outcome = Stands & { likes: number | null; liked: number }
type Act = { claim: Claim; id: string; at: Millis }

/** The bearer of `claim` likes a post; liking twice is liking once. @throws Refused `not_found`, `signed_out`, `forbidden`. */
export const likePost = (db: Db, act: Act) => react(db, LIKE, act)

/** Takes a like back. @throws Refused `not_found`, `signed_out`, `forbidden`. */
export const unlikePost = (db: Db, act: Act) => react(db, UNLIKE, act)

/** Asks the moderators to look at a post, once a person. @throws Refused `not_found`, `signed_out`, `forbidden`. */
export async function reportPost(db: Db, { reason, ...act }: Act & { reason: string }): Promise<void> {
  await react(db, REPORT, act, reason)
}

async function react(db: Db, change: string, { claim, id, at }: Act, ...more: string[]) {
  const d1 = db.$client
  const binds = [...callerBinds(claim), id] as const
  const [, explanation] = await d1.batch([
    d1.prepare(change).bind(...binds, at, ...more),
    d1.prepare(OUTCOME).bind(...binds),
  ])
  const outcome = mustStand(explanation?.results[0] as Outcome | undefined, communityApi.like.signIn)
  if (outcome.likes === null) throw unknownPost()
  return { likes: outcome.likes, liked: outcome.liked === 1 }
}
