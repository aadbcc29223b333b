import { inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import type { AdminTrack } from '../contract/admin-content'
import { conditionFilter, containsText, type RecordList } from '../db/list'
import type { Millis } from '../lib/clock'
import { tracks } from './tracks.table'

/** Title of the earliest EP or album with the track, even if it is not out yet; else empty. */
export const albumTitle = sql<string>`coalesce((SELECT r.title FROM release_tracks rt JOIN releases r ON r.id = rt.release_id
  WHERE rt.track_id = tracks.id AND r.kind <> 'single' AND r.removed_at IS NULL ORDER BY r.released_at, r.id LIMIT 1), '')`

/** `at` decides `isReleased`. */
const trackFields = (at: Millis) => ({
  id: sql<string>`CAST(${tracks.id} AS TEXT)`,
  slug: tracks.slug,
  title: tracks.title,
  artist: tracks.artist,
  album: albumTitle,
  isrc: tracks.isrc,
  lyrics: tracks.lyrics,
  credits: tracks.credits,
  durationSeconds: tracks.durationSeconds,
  coverUrl: tracks.coverUrl,
  coverAlt: tracks.coverAlt,
  spotifyUrl: tracks.spotifyUrl,
  isTrending: tracks.isTrending,
  isExclusive: tracks.isExclusive,
  position: tracks.position,
  plays: tracks.plays,
  audio: tracks.audioKey,
  isReleased: sql`${tracks.releasedAt} <= ${at}`.mapWith(Boolean),
  version: tracks.version,
})

/** All tracks, in their order. */
export const trackList = (at: Millis): RecordList<AdminTrack> => ({
  from: sql`${tracks}`,
  where: isNull(tracks.removedAt),
  id: sql`${tracks.id}`,
  sorts: { position: sql`${tracks.position}`, title: sql`lower(${tracks.title})`, plays: sql`${tracks.plays}` },
  defaultSort: 'position',
  filters: {
    state: conditionFilter({ out: sql`${tracks.releasedAt} <= ${at}`, scheduled: sql`${tracks.releasedAt} > ${at}` }),
    recording: conditionFilter({ yes: isNotNull(tracks.audioKey), none: isNull(tracks.audioKey) }),
    marked: conditionFilter({ trending: sql`${tracks.isTrending}`, exclusive: sql`${tracks.isExclusive}` }),
  },
  search: (q) => ({ where: containsText([sql`${tracks.title}`, sql`${tracks.artist}`, albumTitle], q) }),
  load: (db, ids) =>
    db
      .select(trackFields(at))
      .from(tracks)
      .where(inArray(tracks.id, ids.map(Number))),
})
