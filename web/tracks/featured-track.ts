import type { TierId } from '../../worker/contract/site'
import type { Track } from '../../worker/contract/tracks'

/** The single has the first number; every streaming-service button counts for it (specification section 7). */
export const SINGLE_ID = 1

/** The track that the player opens with: the first trending one, else the first (specification section 2). */
export function featuredTrack(tracks: readonly Track[]): Track | undefined {
  return tracks.find((track) => track.isTrending) ?? tracks[0]
}

/** An exclusive track is for silver and above (ruling 34). */
export function canPlay(track: Track, tier: TierId): boolean {
  return !track.isExclusive || tier !== 'bronze'
}
