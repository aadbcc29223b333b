import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { Lock, Pause, Play, Volume2, VolumeX } from 'lucide-react'
import { type Ref, useEffect, useRef } from 'react'
import type { TierId } from '../../worker/contract/site'
import type { Track } from '../../worker/contract/tracks'
import { formatCompactNumber, formatDuration } from '../lib/format'
import { buttonClass } from '../ui/Button'
import { LoadError } from '../ui/LoadError'
import { Range } from '../ui/Range'
import { ResponsiveImage } from '../ui/ResponsiveImage'
import { Tooltip } from '../ui/Tooltip'
import { canPlay } from './featured-track'
import { LikeButton } from './LikeButton'
import { useMediaSession, usePlayer } from './usePlayer'

type Props = {
  track: Track
  tier: TierId
  sound: Sound
  onSound: (sound: Sound) => void
  /** True after the visitor chose this track. */
  focusOnMount: boolean
}

/** The player of one track. The caller keys it by track id. */
export function Player({ track, tier, sound, onSound, focusOnMount }: Props) {
  const player = usePlayer(track, tier)
  const playButton = useRef<HTMLButtonElement>(null)
  const title = useRef<HTMLHeadingElement>(null)
  const { playing, element } = player
  useMediaSession(track, playing, player)

  useEffect(() => {
    if (element.ref.current) Object.assign(element.ref.current, sound)
  }, [element.ref, sound])
  useEffect(() => {
    if (focusOnMount) (playButton.current ?? title.current)?.focus()
  }, [focusOnMount])

  const onPlay = () => {
    player.play()
    // A track on Spotify opens there as well.
    if (track.spotifyUrl) window.open(track.spotifyUrl, '_blank', 'noopener')
  }
  return (
    <>
      <VinylRecord track={track} spinning={playing} className="col-span-full lg:col-span-7" />
      <div className="col-span-full flex flex-col max-lg:mt-8 lg:col-span-5 lg:justify-center">
        {track.isTrending && (
          <p className="mb-4 w-fit border border-gold px-3 py-1 font-label text-gold-bright">TRENDING</p>
        )}
        <h3 ref={title} tabIndex={-1} className="font-display text-track outline-none">
          {track.title}
        </h3>
        <p className="mt-3 text-lg text-muted">
          {track.artist}, {track.album || 'Single'}
        </p>
        <div className="figures mt-4 mb-5 flex items-center gap-6 font-semibold">
          <span>{formatCompactNumber(track.plays)} plays</span>
          <span>{formatCompactNumber(track.likes)} likes</span>
          <LikeButton track={track} className="-ml-3" />
        </div>
        {!canPlay(track, tier) ? (
          <LockedTrack />
        ) : !track.hasAudio ? (
          <p className="text-muted">There is no recording of this track here yet.</p>
        ) : (
          <>
            <audio {...element} preload="none" src={`/api/tracks/${track.id}/audio`} />
            <PlayerControls
              track={track}
              player={player}
              sound={sound}
              onSound={onSound}
              playButton={playButton}
              onPlay={onPlay}
            />
            <div className="mt-3 min-h-12">
              {player.status === 'failed' && (
                <LoadError onRetry={player.retry}>The recording could not be loaded.</LoadError>
              )}
              {player.tracked && (
                <p role="status" className="text-sm text-bay">
                  Stream tracked for analytics and monetization insights
                </p>
              )}
            </div>
          </>
        )}
      </div>
    </>
  )
}

function LockedTrack() {
  return (
    <div className="border border-rule-strong p-5">
      <p className="mb-4 flex items-center gap-3">
        <Lock size={20} aria-hidden className="shrink-0 text-gold" />
        This one is kept for Silver and Gold supporters.
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
        <img src={`${track.coverUrl}?w=320`} alt="" width={320} height={320} loading="lazy" className="record-label" />
      </div>
      <ResponsiveImage
        src={track.coverUrl}
        alt={track.coverAlt}
        width={1200}
        height={1200}
        sizes="(width < 64rem) 64vw, 32rem"
        className="record-sleeve"
      />
    </div>
  )
}

type Sound = { volume: number; muted: boolean }

type PlayerControlsProps = {
  track: Track
  player: ReturnType<typeof usePlayer>
  sound: Sound
  onSound: (sound: Sound) => void
  onPlay: () => void
  playButton: Ref<HTMLButtonElement>
}

function PlayerControls({ track, player, sound, onSound, onPlay, playButton }: PlayerControlsProps) {
  const { playing, status, time, duration, pause, seek } = player
  const isSilent = sound.muted || sound.volume === 0
  return (
    <div className="grid grid-cols-[auto_1fr] items-center gap-x-5 gap-y-2">
      <button
        ref={playButton}
        type="button"
        onClick={playing ? pause : onPlay}
        className="grid size-20 place-items-center rounded-full border border-transparent bg-gold text-ground transition duration-200 ease-out hover:bg-gold-bright"
      >
        {playing ? (
          <Pause size={32} fill="currentColor" aria-hidden />
        ) : (
          <Play size={32} fill="currentColor" className="ml-1" aria-hidden />
        )}
        <span className="sr-only">{`${playing ? 'Pause' : 'Play'} ${track.title}`}</span>
      </button>
      <div>
        <Range label="Seek" value={time} valueText={formatDuration(time)} max={duration} step={1} onValue={seek} />
        <p className="figures flex justify-between text-sm text-muted">
          <span>{formatDuration(time)}</span>
          <span role="status">{status === 'loading' && 'Loading'}</span>
          <span>{formatDuration(Math.round(duration))}</span>
        </p>
      </div>
      <div className="col-start-2 -ml-3 flex items-center gap-1">
        <Tooltip label={sound.muted ? 'Unmute' : 'Mute'}>
          <button
            type="button"
            aria-label="Mute"
            aria-pressed={sound.muted}
            onClick={() => onSound({ ...sound, muted: !sound.muted })}
            className="grid size-12 place-items-center text-muted hover:text-ivory"
          >
            {isSilent ? <VolumeX size={22} aria-hidden /> : <Volume2 size={22} aria-hidden />}
          </button>
        </Tooltip>
        <Range
          label="Volume"
          value={sound.volume}
          valueText={`${Math.round(sound.volume * 100)}%`}
          max={1}
          step={0.05}
          onValue={(volume) => onSound({ volume, muted: false })}
          className="max-w-40"
        />
      </div>
    </div>
  )
}
