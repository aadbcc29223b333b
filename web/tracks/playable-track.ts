import type { TierId } from '../../worker/contract/site'
import { type Track, tracksApi } from '../../worker/contract/tracks'
import { fillPath } from '../api/call'
import type { QueueTrack } from '../player/playback-store'

/** Whether a tier has access to a track, with or without audio; exclusive tracks need silver or gold. */
export function isUnlocked(track: Pick<Track, 'isExclusive'>, tier: TierId): boolean {
  return !track.isExclusive || tier !== 'bronze'
}

export function toQueueTrack({ duration, ...track }: Track): QueueTrack {
  const { id, title, artist, album, coverUrl, coverAlt, isExclusive, hasAudio, releaseSlug, slug } = track
  const href = releaseSlug && `/music/${releaseSlug}/${slug}`
  return { id, title, artist, album, coverUrl, coverAlt, durationSeconds: duration, href, isExclusive, hasAudio }
}

/** Path of a track's audio file. */
export const audioPath = (id: number) => fillPath(tracksApi.audio.path, { id: String(id) })
