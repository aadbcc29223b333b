import { Lock } from 'lucide-react'
import type { TierId } from '../../worker/contract/site'
import type { Track } from '../../worker/contract/tracks'
import { formatCompactNumber, formatDuration } from '../lib/format'
import { revealFocused } from '../ui/focus'
import { PlayPauseIcon } from '../ui/PlayPauseIcon'
import { ResponsiveImage } from '../ui/ResponsiveImage'
import { LikeButton } from './LikeButton'
import { isUnlocked } from './playable-track'

type Props = {
  tracks: readonly Track[]
  /** Id of the track in the player. */
  currentId: number
  playingId: number | undefined
  tier: TierId
  onChoose: (id: number) => void
}

/** All tracks; choosing one plays it. */
export function TrackList({ tracks, currentId, playingId, tier, onChoose }: Props) {
  return (
    <ol aria-label="All tracks" onFocus={revealFocused} className="track-grid col-span-full mt-10">
      {tracks.map((track) => (
        <li key={track.id} className="relative">
          <button
            type="button"
            aria-current={track.id === currentId || undefined}
            onClick={() => onChoose(track.id)}
            className="group block w-full text-left"
          >
            <span className="relative block">
              <ResponsiveImage
                src={track.coverUrl}
                alt=""
                sizes="(width < 40rem) 8.5rem, (width < 64rem) 30vw, 15vw"
                largest={640}
                className="track-cover"
              />
              {!isUnlocked(track, tier) ? (
                <span className="absolute bottom-0 left-0 flex items-center gap-2 bg-background px-3 py-2 text-xs font-semibold text-gold-bright">
                  <Lock size={16} aria-hidden />
                  Silver/Gold
                </span>
              ) : (
                track.hasAudio && (
                  <span className="absolute bottom-0 left-0 grid size-12 place-items-center bg-background/85 text-gold-bright">
                    <PlayPauseIcon isPlaying={track.id === playingId} size={20} />
                  </span>
                )
              )}
            </span>
            <span className="mt-3 block font-semibold leading-snug group-hover:text-gold-bright">{track.title}</span>
            <span className="block text-sm text-muted">{track.album || 'Single'}</span>
            <span className="tabular-figures mt-1 flex justify-between gap-3 text-sm text-muted">
              {/* In the preview of a new track, the duration is 0 until an audio file is chosen. */}
              <span>{track.duration > 0 && formatDuration(track.duration)}</span>
              <span>{formatCompactNumber(track.plays)} plays</span>
            </span>
          </button>
          <LikeButton track={track} className="absolute top-0 right-0 bg-background/85" />
        </li>
      ))}
    </ol>
  )
}
