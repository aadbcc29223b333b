import type { TierId } from '../../worker/contract/site'
import type { Track } from '../../worker/contract/tracks'
import type { QueueTrack } from '../player/playback-store'

/** Id of the track whose Spotify link the home page shows, and for which it counts clicks to streaming services. */
export const SINGLE_TRACK_ID = 1

/** The track that the home page's player shows first. */
export function featuredTrack(tracks: readonly Track[]): Track | undefined {
  return tracks.find((track) => track.isTrending) ?? tracks[0]
}

/** Whether a tier has access to a track, with or without audio; exclusive tracks need silver or gold. */
export function isUnlocked(track: Pick<Track, 'isExclusive'>, tier: TierId): boolean {
  return !track.isExclusive || tier !== 'bronze'
}

export function toQueueTrack({ duration, ...track }: Track): QueueTrack {
  const { id, title, artist, album, coverUrl, coverAlt, isExclusive, hasAudio, releaseSlug, slug } = track
  const href = releaseSlug && `/music/${releaseSlug}/${slug}`
  return { id, title, artist, album, coverUrl, coverAlt, durationSeconds: duration, href, isExclusive, hasAudio }
}
