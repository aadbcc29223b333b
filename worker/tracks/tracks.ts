import { and, asc, eq, isNull, lte, type SQL, sql } from 'drizzle-orm'
import {
  CALLER_CTE,
  callerBinds,
  requireActiveSession,
  type SessionPayload,
  type SessionStatusRow,
  withSessionStatus,
} from '../auth/sessions'
import { POINTS } from '../contract/points'
import type { TierId } from '../contract/site'
import type { StreamingService, Track } from '../contract/tracks'
import { type TrackLikeResult, tracksApi } from '../contract/tracks'
import type { Db } from '../db/client'
import { AppError } from '../lib/app-error'
import { type Millis, utcDay } from '../lib/clock'
import { completedMissionsSql, parseCompletedMissions } from '../missions/missions'
import { reversalSql } from '../points/points'
import { requireTrackAccess } from '../subscriptions/tier-access'
import { trackLikes, tracks } from './tracks.table'

type Reader = { readerId: number | null; at: Millis }

/** `released_at` of a track that is on no release. */
export const ON_NO_RELEASE_AT: Millis = 8_640_000_000_000_000

/** Condition: visitors may see the track. */
export const isPublicTrack = (at: Millis) => and(isNull(tracks.removedAt), lte(tracks.releasedAt, at))

/** A column of the track's earliest public release. Raw SQL, because tracks must not import the releases feature. */
const earliestRelease = (column: 'title' | 'slug', at: Millis, condition = sql`true`) =>
  sql`(SELECT ${sql.raw(`releases.${column}`)} FROM release_tracks JOIN releases ON releases.id = release_tracks.release_id
  WHERE release_tracks.track_id = tracks.id AND ${condition} AND releases.removed_at IS NULL AND releases.released_at <= ${at}
  ORDER BY releases.released_at, releases.id LIMIT 1)`

/** Title of the earliest public EP or album with the track, else empty. */
const publicAlbumTitle = (at: Millis) =>
  sql<string>`coalesce(${earliestRelease('title', at, sql`releases.kind <> 'single'`)}, '')`

/** All tracks in the artist's order, with the reader's likes. `readerId` null is a visitor. */
export function listAllTracks(db: Db, reader: Reader): Promise<Track[]> {
  return queryTracks(db, reader)
}

/** Tracks marked as trending, in the artist's order. */
export function listTrendingTracks(db: Db, reader: Reader): Promise<Track[]> {
  return queryTracks(db, reader, eq(tracks.isTrending, true))
}

function queryTracks(db: Db, { readerId, at }: Reader, condition?: SQL) {
  return db
    .select({
      id: tracks.id,
      slug: tracks.slug,
      releaseSlug: sql<string | null>`${earliestRelease('slug', at)}`,
      title: tracks.title,
      artist: tracks.artist,
      album: publicAlbumTitle(at),
      duration: tracks.durationSeconds,
      plays: tracks.plays,
      likes: tracks.likes,
      coverUrl: tracks.coverUrl,
      coverAlt: tracks.coverAlt,
      spotifyUrl: tracks.spotifyUrl,
      isTrending: tracks.isTrending,
      isExclusive: tracks.isExclusive,
      hasAudio: sql`${tracks.audioKey} is not null`.mapWith(Boolean),
      liked: sql`${trackLikes.userId} is not null`.mapWith(Boolean),
    })
    .from(tracks)
    .leftJoin(trackLikes, and(eq(trackLikes.userId, readerId ?? 0), eq(trackLikes.trackId, tracks.id)))
    .where(and(isPublicTrack(at), condition))
    .orderBy(asc(tracks.position), asc(tracks.id))
}

/**
 * R2 key of a public track's audio file, for a listener of `tier`.
 * @throws AppError `not_found` without a track or file, `tier_required` if the track is exclusive to higher tiers.
 */
export async function findAudioKey(
  db: Db,
  { id, tier, at }: { id: number; tier: TierId; at: Millis },
): Promise<string> {
  const [track] = await db
    .select({ key: tracks.audioKey, isExclusive: tracks.isExclusive })
    .from(tracks)
    .where(and(eq(tracks.id, id), isPublicTrack(at)))
  if (!track) throw trackNotFoundError()
  if (track.isExclusive) requireTrackAccess(tier)
  if (track.key === null) throw noRecordingError()
  return track.key
}

/**
 * Counts a click to a streaming service, per track and UTC day. Never rewarded: the services' terms forbid it.
 * @throws AppError `not_found` for an unknown track.
 */
export async function countClick(
  db: Db,
  { id, service, at }: { id: number; service: StreamingService | 'unknown'; at: Millis },
): Promise<void> {
  const day = utcDay(at)
  const counted = await db.all(sql`
    INSERT INTO outbound_clicks (track_id, service, day, clicks)
    SELECT id, ${service}, ${day}, 1 FROM tracks WHERE id = ${id} AND removed_at IS NULL AND released_at <= ${at}
    ON CONFLICT (track_id, service, day) DO UPDATE SET clicks = clicks + 1 RETURNING track_id`)
  if (counted.length === 0) throw trackNotFoundError()
}

export const trackNotFoundError = () => new AppError('not_found', 'That track does not exist.')
const noRecordingError = () => new AppError('not_found', 'This track has no recording yet.')

/** @throws AppError `not_found` for text that cannot be a track's id. */
export function parseTrackId(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw trackNotFoundError()
  return Number(text)
}

// In the statements below, ?1 to ?3 are `callerBinds`, ?4 is the track, ?5 now.
/** With a cast, because D1 binds numbers as REAL: the text of 2 would be '2.0'. */
const LEDGER_KEY = "'track_like:' || CAST(?4 AS INTEGER)"

const INSERT_LIKE = `
  WITH ${CALLER_CTE} INSERT INTO track_likes (track_id, user_id, liked_at)
  SELECT tracks.id, caller.id, ?5 FROM tracks JOIN caller
  WHERE tracks.id = ?4 AND tracks.removed_at IS NULL AND tracks.released_at <= ?5 ON CONFLICT DO NOTHING`

/** Awards a like once per track and user: a like that was removed and added again earns nothing. */
const AWARD_LIKE = `
  WITH ${CALLER_CTE} INSERT INTO ledger (user_id, action, key, description, points, created_at)
  SELECT caller.id, 'track_like', 'track_like:' || tracks.id, 'Liked “' || tracks.title || '”', ${POINTS.track_like}, ?5
  FROM caller JOIN track_likes ON track_likes.user_id = caller.id AND track_likes.track_id = ?4
  JOIN tracks ON tracks.id = track_likes.track_id
  WHERE true ON CONFLICT DO NOTHING RETURNING points`

const DELETE_LIKE = `
  WITH ${CALLER_CTE} DELETE FROM track_likes WHERE user_id = (SELECT id FROM caller)
  AND track_id = (SELECT id FROM tracks WHERE id = ?4 AND removed_at IS NULL AND released_at <= ?5)`

const REVERSE_LIKE_AWARD = reversalSql({
  key: LEDGER_KEY,
  description: "'Removed the like of “' || (SELECT title FROM tracks WHERE id = ?4) || '”'",
  at: '?5',
  when: 'NOT EXISTS (SELECT 1 FROM track_likes WHERE user_id = caller.id AND track_id = ?4)',
})

const LIKE_OUTCOME = withSessionStatus(`
  (SELECT points FROM caller) AS total,
  (SELECT likes FROM tracks WHERE id = ?4 AND removed_at IS NULL AND released_at <= ?5) AS likes,
  EXISTS (SELECT 1 FROM track_likes WHERE user_id = ?1 AND track_id = ?4) AS liked,
  ${completedMissionsSql(LEDGER_KEY, '?5')} AS missions`)

type LikeOutcome = SessionStatusRow & { total: number; likes: number | null; liked: number; missions: string }
type LikeInput = { session: SessionPayload; trackId: number; at: Millis }

/** Adds a like and its points. Idempotent, one round trip. @throws AppError `signed_out`, `forbidden`, `not_found`. */
export const likeTrack = (db: Db, like: LikeInput): Promise<TrackLikeResult> =>
  changeLike(db, [INSERT_LIKE, AWARD_LIKE], like)

/** Removes a like and reverses its points. Idempotent, one round trip. @throws AppError as `likeTrack`. */
export const unlikeTrack = (db: Db, like: LikeInput): Promise<TrackLikeResult> =>
  changeLike(db, [DELETE_LIKE, REVERSE_LIKE_AWARD], like)

async function changeLike(
  db: Db,
  [likeSql, ledgerSql]: readonly [string, string],
  like: LikeInput,
): Promise<TrackLikeResult> {
  const d1 = db.$client
  const binds = [...callerBinds(like.session), like.trackId, like.at]
  const bound = (sql: string) => d1.prepare(sql).bind(...binds.slice(0, sql.includes('?5') ? 5 : 4))
  const [, awarded, outcomeResult] = await d1.batch([bound(likeSql), bound(ledgerSql), bound(LIKE_OUTCOME)])
  const outcome = requireActiveSession(
    outcomeResult?.results[0] as LikeOutcome | undefined,
    tracksApi.like.signInMessage,
  )
  if (outcome.likes === null) throw trackNotFoundError()
  const [row] = (awarded?.results ?? []) as { points: number }[]
  return {
    likes: outcome.likes,
    liked: outcome.liked === 1,
    pointsAwarded: row?.points ?? 0,
    totalPoints: outcome.total,
    missions: parseCompletedMissions(outcome.missions),
  }
}

/** R2 key of any track's audio file, even before its release, for admins. @throws AppError `not_found`. */
export async function findAudioKeyForAdmin(db: Db, id: number): Promise<string> {
  const [row] = await db
    .select({ key: tracks.audioKey })
    .from(tracks)
    .where(and(eq(tracks.id, id), isNull(tracks.removedAt)))
  if (!row) throw trackNotFoundError()
  if (row.key === null) throw noRecordingError()
  return row.key
}
