import { explained, mustStand, type Stands } from '../auth/joined'
import { CALLER, type Claim, callerBinds } from '../auth/sessions'
import { communityApi } from '../contract/community'
import { linksIn } from '../contract/links'
import { POINTS } from '../contract/point-rules'
import type { Earned } from '../contract/points'
import { artistDay } from '../db/artist-calendar'
import type { Db } from '../db/client'
import { HOUR, type Millis, SECOND } from '../lib/clock'
import { newId } from '../lib/ids'
import { Refused } from '../lib/refused'
import { limits } from '../limits'
import { FULFILLED, fulfilled } from '../points/fulfilled'
import { publicPage } from '../previews/address'
import { previewAsked } from '../previews/previews'
import { unknownPost } from './posts'

// In every statement: ?4 post, ?5 text, ?6 now, ?7 the beginning of today.
const TODAYS = 'FROM posts WHERE author_id = ?1 AND created_at >= ?7'

/** ?8 a picture that its author has sent, that no post has and no sweep is about to take. */
const PICTURE = `SELECT 1 FROM uploads WHERE id = ?8 AND owner_id = ?1 AND kind = 'picture' AND stored_at IS NOT NULL
    AND is_dropped = 0 AND created_at > ?6 - ${(limits.uploadHours - 1) * HOUR}
    AND NOT EXISTS (SELECT 1 FROM posts WHERE picture_id = ?8 AND id <> ?4)`

/**
 * The guards count in the statement that writes: no race makes an eleventh, and no retry a second. ?9 what the picture
 * shows, ?10 the page behind the first link.
 */
const POST = `
  WITH ${CALLER} INSERT INTO posts (id, author_id, text, created_at, picture_id, picture_alt, link_url)
  SELECT ?4, caller.id, ?5, ?6, ?8, ?9, ?10 FROM caller
  WHERE (SELECT count(*) ${TODAYS}) < ${limits.postsPerDay}
    AND NOT EXISTS (SELECT 1 ${TODAYS} AND text = ?5 AND removed_at IS NULL)
    AND (?8 IS NULL OR EXISTS (${PICTURE}))
  RETURNING id`

/** Three a day are paid, removed ones too: what went back is not earned anew. */
const PAID = `
  WITH ${CALLER} INSERT INTO ledger (user_id, action, key, description, points, created_at)
  SELECT caller.id, 'community_post', 'community_post:' || p.id, 'Posted in the community', ${POINTS.community_post}, ?6
  FROM caller JOIN posts p ON p.id = ?4 AND p.author_id = caller.id
  WHERE (SELECT count(*) FROM ledger l WHERE l.user_id = caller.id AND l.action = 'community_post'
    AND l.created_at >= ?7 AND l.points > 0) < ${limits.paidPostsPerDay}
  ON CONFLICT DO NOTHING RETURNING points`

const OUTCOME = explained(`
  (SELECT points FROM caller) AS total,
  (SELECT count(*) ${TODAYS}) AS today,
  EXISTS (SELECT 1 ${TODAYS} AND text = ?5 AND id <> ?4 AND removed_at IS NULL) AS again,
  ?8 IS NULL OR EXISTS (${PICTURE}) AS pictured,
  ${FULFILLED("'community_post:' || ?4", '?6')} AS fulfilled`)

type Outcome = Stands & { total: number; today: number; again: number; pictured: number; fulfilled: string }
type Draft = { claim: Claim; text: string; picture: { id: string; alt: string } | null; at: Millis }

/**
 * The bearer of `claim` posts. The post and its points stand together or not at all; three a day are paid (ruling 16).
 * `link` is the page whose preview is now to be fetched; null for none.
 * @throws Refused `conflict` for the same words again, `bad_input` for a picture that is not there, `rate_limited`,
 * `signed_out`, `forbidden`.
 */
export async function writePost(
  db: Db,
  { claim, text, picture, at }: Draft,
): Promise<{ earned: Earned & { id: string }; link: string | null }> {
  const d1 = db.$client
  const today = await artistDay(d1, at)
  const id = newId('post')
  const [first] = linksIn(text)
  const link = first ? (publicPage(first.url.href, null)?.href ?? null) : null
  const binds = [...callerBinds(claim), id, text, at, today.beginsAt] as const
  const pictureId = picture?.id ?? null
  const [post, paid, explanation] = await d1.batch([
    d1.prepare(POST).bind(...binds, pictureId, picture?.alt ?? '', link),
    d1.prepare(PAID).bind(...binds),
    d1.prepare(OUTCOME).bind(...binds, pictureId),
    ...(link === null ? [] : [previewAsked(d1, { url: link, postId: id, at })]),
  ])
  const outcome = mustStand(explanation?.results[0] as Outcome | undefined, communityApi.write.signIn)
  if (post?.results.length === 1) {
    const [row] = (paid?.results ?? []) as { points: number }[]
    const missions = fulfilled(outcome.fulfilled)
    return { earned: { id, pointsAwarded: row?.points ?? 0, totalPoints: outcome.total, missions }, link }
  }
  if (outcome.again) throw new Refused('conflict', 'You have posted this today already.')
  if (outcome.pictured === 0) throw new Refused('bad_input', 'That picture is gone. Please send it again.')
  throw new Refused('rate_limited', `You can post ${limits.postsPerDay} times a day. Please come back tomorrow.`, {
    retryAfterSeconds: Math.ceil((today.endsAt - at) / SECOND),
  })
}

/** A trigger takes the points back with the post, where hiding it has not done so before. */
const GONE = `
  WITH ${CALLER} UPDATE posts SET text = '', removed_at = coalesce(removed_at, ?5)
  WHERE id = ?4 AND tier = 'bronze' AND text <> '' AND author_id = (SELECT id FROM caller) RETURNING id`

/** The author removes a post, or lets go of a hidden one: its words are gone, its points go back. @throws Refused `not_found`, `signed_out`, `forbidden`. */
export async function removePost(db: Db, { claim, id, at }: { claim: Claim; id: string; at: Millis }): Promise<void> {
  const d1 = db.$client
  const [gone, explanation] = await d1.batch([
    d1.prepare(GONE).bind(...callerBinds(claim), id, at),
    d1.prepare(explained('1 AS ok')).bind(...callerBinds(claim)),
  ])
  mustStand(explanation?.results[0] as Stands | undefined, communityApi.remove.signIn)
  if (gone?.results.length !== 1) throw unknownPost()
}
