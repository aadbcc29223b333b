import { requireActiveSession, type SessionStatusRow, withSessionStatus } from '../auth/require-session'
import { CALLER_CTE, callerBinds, type SessionPayload } from '../auth/sessions'
import { POINTS } from '../contract/point-rules'
import { type TrackLikeResult, tracksApi } from '../contract/tracks'
import type { Db } from '../db/client'
import type { Millis } from '../lib/clock'
import { completedMissionsSql, parseCompletedMissions } from '../missions/completed-missions'
import { reversalSql } from '../points/points'
import { trackNotFound } from './tracks'

// ?4 is the track, ?5 now, in the statements below. D1 binds numbers as REAL: as text, 2 would be '2.0'.
const LEDGER_KEY = "'track_like:' || CAST(?4 AS INTEGER)"

const INSERT_LIKE = `
  WITH ${CALLER_CTE} INSERT INTO track_likes (track_id, user_id, liked_at)
  SELECT tracks.id, caller.id, ?5 FROM tracks JOIN caller WHERE tracks.id = ?4 AND tracks.removed_at IS NULL ON CONFLICT DO NOTHING`

/** Pays a like that stands, once a track and person for ever: a like taken back and given again earns nothing. */
const AWARD_LIKE = `
  WITH ${CALLER_CTE} INSERT INTO ledger (user_id, action, key, description, points, created_at)
  SELECT caller.id, 'track_like', 'track_like:' || t.id, 'Liked “' || t.title || '”', ${POINTS.track_like}, ?5
  FROM caller JOIN track_likes l ON l.user_id = caller.id AND l.track_id = ?4 JOIN tracks t ON t.id = l.track_id
  WHERE true ON CONFLICT DO NOTHING RETURNING points`

const DELETE_LIKE = `
  WITH ${CALLER_CTE} DELETE FROM track_likes WHERE user_id = (SELECT id FROM caller)
  AND track_id = (SELECT id FROM tracks WHERE id = ?4 AND removed_at IS NULL)`

const REVERSE_LIKE_AWARD = reversalSql({
  key: LEDGER_KEY,
  description: "'Took the like of “' || (SELECT title FROM tracks WHERE id = ?4) || '” back'",
  at: '?5',
  when: 'NOT EXISTS (SELECT 1 FROM track_likes WHERE user_id = caller.id AND track_id = ?4)',
})

const OUTCOME = withSessionStatus(`
  (SELECT points FROM caller) AS total,
  (SELECT likes FROM tracks WHERE id = ?4 AND removed_at IS NULL) AS likes,
  EXISTS (SELECT 1 FROM track_likes WHERE user_id = ?1 AND track_id = ?4) AS liked,
  ${completedMissionsSql(LEDGER_KEY, '?5')} AS fulfilled`)

type Outcome = SessionStatusRow & { total: number; likes: number | null; liked: number; fulfilled: string }
type LikeInput = { session: SessionPayload; trackId: number; at: Millis }

/**
 * The bearer of `session` likes a track (ruling 18). Liking twice is liking once. One round trip.
 * @throws AppError `signed_out`, `forbidden`, `not_found`.
 */
export const likeTrack = (db: Db, act: LikeInput): Promise<TrackLikeResult> =>
  changeLike(db, [INSERT_LIKE, AWARD_LIKE], act)

/**
 * The like goes, and its points with it: once, in a row of the ledger that says so. One round trip.
 * @throws AppError `signed_out`, `forbidden`, `not_found`.
 */
export const unlikeTrack = (db: Db, act: LikeInput): Promise<TrackLikeResult> =>
  changeLike(db, [DELETE_LIKE, REVERSE_LIKE_AWARD], act)

async function changeLike(db: Db, [change, pay]: readonly [string, string], act: LikeInput): Promise<TrackLikeResult> {
  const d1 = db.$client
  const binds = [...callerBinds(act.session), act.trackId, act.at]
  const bound = (sql: string) => d1.prepare(sql).bind(...binds.slice(0, sql.includes('?5') ? 5 : 4))
  const [, paid, explanation] = await d1.batch([bound(change), bound(pay), bound(OUTCOME)])
  const outcome = requireActiveSession(explanation?.results[0] as Outcome | undefined, tracksApi.like.signInMessage)
  if (outcome.likes === null) throw trackNotFound()
  const [row] = (paid?.results ?? []) as { points: number }[]
  return {
    likes: outcome.likes,
    liked: outcome.liked === 1,
    pointsAwarded: row?.points ?? 0,
    totalPoints: outcome.total,
    missions: parseCompletedMissions(outcome.fulfilled),
  }
}
