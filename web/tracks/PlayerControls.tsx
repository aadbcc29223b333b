import { Pause, Play, Volume2, VolumeX } from 'lucide-react'
import type { Ref } from 'react'
import type { Track } from '../../worker/contract/tracks'
import { formatDuration } from '../lib/format'
import { Range } from '../ui/Range'
import { Tooltip } from '../ui/Tooltip'
import type { usePlayer } from './usePlayer'

export type Sound = { volume: number; muted: boolean }

type Props = {
  track: Track
  player: ReturnType<typeof usePlayer>
  sound: Sound
  onSound: (sound: Sound) => void
  onPlay: () => void
  playButton: Ref<HTMLButtonElement>
}

/** Play and pause, the needle's place in the groove, elapsed and total time, and the volume. */
export function PlayerControls({ track, player, sound, onSound, onPlay, playButton }: Props) {
  const { playing, trouble, time, duration, pause, seek } = player
  const silent = sound.muted || sound.volume === 0
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
          <span role="status">{trouble === 'loading' && 'Loading'}</span>
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
            {silent ? <VolumeX size={22} aria-hidden /> : <Volume2 size={22} aria-hidden />}
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
