import type { Track } from '../../worker/contract/tracks'

/** Id of the track whose Spotify link the home page shows, and for which it counts clicks to streaming services. */
export const SINGLE_TRACK_ID = 1

/** The track that the home page's player shows first. */
export function featuredTrack(tracks: readonly Track[]): Track | undefined {
  return tracks.find((track) => track.isTrending) ?? tracks[0]
}
