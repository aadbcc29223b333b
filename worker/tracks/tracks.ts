import { and, asc, eq, isNull, type SQL, sql } from 'drizzle-orm'
import type { TierId } from '../contract/site'
import type { Service, Track } from '../contract/tracks'
import type { Db } from '../db/client'
import { AppError } from '../lib/app-error'
import type { Millis } from '../lib/clock'
import { requireTrackAccess } from '../subscriptions/tier-access'
import { trackLikes, tracks } from './tracks.table'

type Reader = { readerId: number | null }

/** Every track in the artist's order, with the reader's own likes (null is a visitor, who has none). */
export function allTracks(db: Db, reader: Reader): Promise<Track[]> {
  return queryTracks(db, reader)
}

/** The tracks marked as trending, in the artist's order. */
export function trendingTracks(db: Db, reader: Reader): Promise<Track[]> {
  return queryTracks(db, reader, eq(tracks.isTrending, true))
}

function queryTracks(db: Db, { readerId }: Reader, which?: SQL) {
  return db
    .select({
      id: tracks.id,
      title: tracks.title,
      artist: tracks.artist,
      album: tracks.album,
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
    .where(and(isNull(tracks.removedAt), which))
    .orderBy(asc(tracks.position), asc(tracks.id))
}

/**
 * The R2 key of a track's recording, for a listener of `tier`.
 * @throws AppError `not_found` when there is no such track or it has no recording, `tier_required` when it is
 *   exclusive and the listener is Bronze (ruling 34).
 */
export async function findAudioKey(db: Db, { id, tier }: { id: number; tier: TierId }): Promise<string> {
  const [track] = await db
    .select({ key: tracks.audioKey, isExclusive: tracks.isExclusive })
    .from(tracks)
    .where(and(eq(tracks.id, id), isNull(tracks.removedAt)))
  if (!track) throw trackNotFound()
  if (track.isExclusive) requireTrackAccess(tier)
  if (track.key === null) throw new AppError('not_found', 'This track has no recording yet.')
  return track.key
}

/**
 * Counts a click to a streaming service, per track and day (UTC). It is never a play and never paid: the services'
 * terms forbid paying for their streams (ruling 17).
 * @throws AppError `not_found` for an unknown track.
 */
export async function countClick(
  db: Db,
  { id, service, at }: { id: number; service: Service | 'unknown'; at: Millis },
): Promise<void> {
  const day = new Date(at).toISOString().slice(0, 10)
  const counted = await db.all(sql`
    INSERT INTO outbound_clicks (track_id, service, day, clicks) SELECT id, ${service}, ${day}, 1 FROM tracks WHERE id = ${id} AND removed_at IS NULL
    ON CONFLICT (track_id, service, day) DO UPDATE SET clicks = clicks + 1 RETURNING track_id`)
  if (counted.length === 0) throw trackNotFound()
}

export const trackNotFound = () => new AppError('not_found', 'That track does not exist.')

/**
 * The id that a text, such as a path's, names a track by.
 * @throws AppError `not_found` for anything that no track can have as its id.
 */
export function parseTrackId(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw trackNotFound()
  return Number(text)
}
