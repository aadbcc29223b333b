import { type Release, type ReleaseTrack, trackPath } from '../../worker/contract/releases'
import { useMe } from '../auth/auth.queries'
import { type QueueTrack, usePlayback } from '../player/playback-store'
import { playQueue, seekTo, togglePlayback } from '../player/player-commands'
import { isUnlocked } from '../tracks/playable-track'

const releaseQueueTrack = (release: Release, track: ReleaseTrack): QueueTrack => ({
  id: track.id,
  title: track.title,
  artist: track.artist,
  album: release.kind === 'single' ? '' : release.title,
  coverUrl: track.coverUrl,
  coverAlt: track.coverAlt,
  durationSeconds: track.durationSeconds,
  href: trackPath(release.slug, track.slug),
  isExclusive: track.isExclusive,
  hasAudio: track.hasAudio,
})

/** The player's state and commands for a release and its tracks. */
export type ReleasePlayback = {
  /** Whether the track needs a higher tier. */
  isLocked: (track: ReleaseTrack) => boolean
  isPlayable: (track: ReleaseTrack) => boolean
  hasPlayableTrack: boolean
  currentTrackId: number | null
  /** Whether a track of this release is playing. */
  isReleasePlaying: boolean
  isTrackPlaying: (track: ReleaseTrack) => boolean
  /** Position in seconds; null unless the track is the current one. */
  positionIn: (track: ReleaseTrack) => number | null
  toggleRelease: () => void
  toggleTrack: (track: ReleaseTrack) => void
  playFrom: (track: ReleaseTrack, seconds: number) => void
}

/** The playback of a release. Its queue leaves out tracks that have no audio file or need a higher tier. */
export function useReleasePlayback(release: Release): ReleasePlayback {
  const tier = useMe()?.tier ?? 'bronze'
  const { current, isPlaying, timeSeconds } = usePlayback()
  const playable = release.tracks.filter((track) => track.hasAudio && isUnlocked(track, tier))
  const queue = playable.map((track) => releaseQueueTrack(release, track))
  const isCurrentRelease = queue.some(({ href }) => href === current?.href)
  return {
    isLocked: (track: ReleaseTrack) => !isUnlocked(track, tier),
    isPlayable: (track: ReleaseTrack) => playable.includes(track),
    hasPlayableTrack: playable.length > 0,
    currentTrackId: current?.id ?? null,
    isReleasePlaying: isPlaying && isCurrentRelease,
    isTrackPlaying: (track: ReleaseTrack) => isPlaying && current?.id === track.id,
    positionIn: (track) => (current?.id === track.id ? timeSeconds : null),
    toggleRelease: () => (isCurrentRelease ? togglePlayback() : playQueue(queue, 0)),
    toggleTrack: (track: ReleaseTrack) =>
      current?.id === track.id ? togglePlayback() : playQueue(queue, playable.indexOf(track)),
    playFrom(track: ReleaseTrack, seconds: number) {
      if (current?.id !== track.id) return playQueue(queue, playable.indexOf(track), seconds)
      seekTo(seconds)
      if (!isPlaying) togglePlayback()
    },
  }
}
