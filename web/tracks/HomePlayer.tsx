import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { Lock } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { TierId } from '../../worker/contract/site'
import type { Track } from '../../worker/contract/tracks'
import { formatCompactNumber, formatDuration } from '../lib/format'
import { type QueueTrack, usePlayback } from '../player/playback-store'
import { playQueue, seekTo, togglePlayback } from '../player/player-commands'
import { VolumeControl } from '../player/VolumeControl'
import { buttonClass } from '../ui/Button'
import { LoadError } from '../ui/LoadError'
import { PlayPauseIcon } from '../ui/PlayPauseIcon'
import { Range } from '../ui/Range'
import { ResponsiveImage } from '../ui/ResponsiveImage'
import { LikeButton } from './LikeButton'
import { isUnlocked } from './playable-track'

type Props = {
  track: Track
  tier: TierId
  /** The playable tracks of the section. */
  queue: readonly QueueTrack[]
  /** Focuses the title; true after the visitor chose a track that cannot be played. */
  shouldFocusTitle: boolean
}

/** One track with its playback controls. */
export function HomePlayer({ track, tier, queue, shouldFocusTitle }: Props) {
  const title = useRef<HTMLHeadingElement>(null)
  const { current, isPlaying } = usePlayback()
  const trackId = track.id
  const isLocked = !isUnlocked(track, tier)
  // Runs for each chosen track: reading `trackId` makes it a dependency.
  useEffect(() => {
    if (shouldFocusTitle && trackId) title.current?.focus()
  }, [shouldFocusTitle, trackId])
  return (
    <>
      <VinylRecord
        track={track}
        spinning={isPlaying && current?.id === trackId}
        className="col-span-full lg:col-span-7"
      />
      <div className="col-span-full flex flex-col max-lg:mt-8 lg:col-span-5 lg:justify-center">
        {track.isTrending && (
          <p className="mb-4 w-fit border border-gold px-3 py-1 font-label text-gold-bright">TRENDING</p>
        )}
        <h3 ref={title} tabIndex={-1} className="font-display text-track wrap-anywhere outline-none">
          {track.title}
        </h3>
        <p className="mt-3 text-lg wrap-anywhere text-muted">
          {track.artist}, {track.album || 'Single'}
        </p>
        <div className="tabular-figures mt-4 mb-5 flex items-center gap-6 font-semibold">
          <span>{formatCompactNumber(track.plays)} plays</span>
          <span>{formatCompactNumber(track.likes)} likes</span>
          <LikeButton track={track} className="-ml-3" />
        </div>
        {isLocked && <LockedTrack />}
        {!isLocked && track.hasAudio && <PlayerControls track={track} queue={queue} />}
        {!isLocked && !track.hasAudio && <p className="text-muted">There is no recording of this track here yet.</p>}
      </div>
    </>
  )
}

function LockedTrack() {
  return (
    <div className="border border-rule-strong p-5">
      <p className="mb-4 flex items-center gap-3">
        <Lock size={20} aria-hidden className="shrink-0 text-gold" />
        This track is for Silver and Gold supporters.
      </p>
      <Link to="/subscribe" search={{ tier: 'silver' }} className={buttonClass('primary')}>
        See the tiers
      </Link>
    </div>
  )
}

/** The sleeve; its record slides out and spins while the track plays. */
function VinylRecord({ track, spinning, className }: { track: Track; spinning: boolean; className?: string }) {
  return (
    <div className={clsx('record', spinning && 'record-spinning', className)}>
      <div className="record-disc" aria-hidden="true">
        <ResponsiveImage src={track.coverUrl} alt="" sizes="8rem" largest={320} className="record-label" />
      </div>
      <ResponsiveImage
        src={track.coverUrl}
        alt={track.coverAlt}
        sizes="(width < 64rem) 64vw, 32rem"
        className="record-sleeve"
      />
    </div>
  )
}

function PlayerControls({ track, queue }: Pick<Props, 'track' | 'queue'>) {
  const playback = usePlayback()
  /** The start position that the visitor chose before the first play. */
  const [chosenStart, setChosenStart] = useState({ trackId: 0, seconds: 0 })
  const isCurrent = playback.current?.id === track.id
  const isPlaying = isCurrent && playback.isPlaying
  const startSeconds = chosenStart.trackId === track.id ? chosenStart.seconds : 0
  const seconds = isCurrent ? playback.timeSeconds : startSeconds
  const durationSeconds = isCurrent ? playback.durationSeconds : track.duration

  const play = () => {
    if (isCurrent) togglePlayback()
    else
      playQueue(
        queue,
        queue.findIndex(({ id }) => id === track.id),
        startSeconds,
      )
    // Playing a track also opens its Spotify link.
    if (track.spotifyUrl) window.open(track.spotifyUrl, '_blank', 'noopener')
  }
  return (
    <>
      <div className="grid grid-cols-[auto_1fr] items-center gap-x-5 gap-y-2">
        <button
          type="button"
          onClick={isPlaying ? togglePlayback : play}
          className="grid size-20 place-items-center rounded-full border border-transparent bg-gold text-background transition duration-200 ease-out hover:bg-gold-bright"
        >
          <PlayPauseIcon isPlaying={isPlaying} size={32} playClassName="ml-1" />
          <span className="sr-only">{`${isPlaying ? 'Pause' : 'Play'} ${track.title}`}</span>
        </button>
        <div>
          <Range
            label="Seek"
            value={seconds}
            valueText={formatDuration(seconds)}
            max={durationSeconds}
            step={1}
            onValueChange={(value) =>
              isCurrent ? seekTo(value) : setChosenStart({ trackId: track.id, seconds: value })
            }
          />
          <p className="tabular-figures flex justify-between text-sm text-muted">
            <span>{formatDuration(seconds)}</span>
            <span role="status">{isCurrent && playback.status === 'loading' && 'Loading'}</span>
            <span>{formatDuration(Math.round(durationSeconds))}</span>
          </p>
        </div>
        <div className="col-start-2 -ml-3 flex items-center gap-1">
          <VolumeControl className="max-w-40" />
        </div>
      </div>
      <div className="mt-3 min-h-12">
        {isCurrent && playback.status === 'failed' && (
          <LoadError onRetry={togglePlayback}>The recording could not be loaded.</LoadError>
        )}
        {isCurrent && playback.isStreamCounted && (
          <p role="status" className="text-sm text-bay">
            Stream tracked for analytics and monetization insights
          </p>
        )}
      </div>
    </>
  )
}
