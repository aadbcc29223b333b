import type { TierId } from '../../worker/contract/site'
import type { Track } from '../../worker/contract/tracks'

/** The single: clicks on streaming services count for this track. */
export const SINGLE_ID = 1

/** The track that the player opens with. */
export function featuredTrack(tracks: readonly Track[]): Track | undefined {
  return tracks.find((track) => track.isTrending) ?? tracks[0]
}

/** Exclusive tracks are for Silver and above. */
export function canPlay(track: Track, tier: TierId): boolean {
  return !track.isExclusive || tier !== 'bronze'
}
