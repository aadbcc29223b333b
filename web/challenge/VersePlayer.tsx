import { Pause, Play } from 'lucide-react'
import { clock } from '../lib/clock'
import { Range } from '../ui/Range'
import { useVerseSound } from './useVerseSound'

/** Plays one verse. Nothing of it is fetched before somebody wants to hear it. */
export function VersePlayer({ src, name }: { src: string; name: string }) {
  const { playing, trouble, time, duration, play, pause, seek, element } = useVerseSound()
  return (
    <div className="verse-player">
      <audio src={src} preload="none" {...element} />
      <button type="button" onClick={playing ? pause : play} className="verse-play">
        {playing ? (
          <Pause size={22} fill="currentColor" aria-hidden />
        ) : (
          <Play size={22} fill="currentColor" className="ml-0.5" aria-hidden />
        )}
        <span className="sr-only">{`${playing ? 'Pause' : 'Play'} ${name}`}</span>
      </button>
      <div className="min-w-0 flex-1">
        <Range
          label={`Seek in ${name}`}
          value={time}
          valueText={clock(time)}
          max={duration}
          step={1}
          disabled={duration === 0}
          onValue={seek}
        />
        <p className="figures -mt-2 flex justify-between gap-4 text-sm text-muted">
          <span>{clock(time)}</span>
          <span role="status" className={trouble === 'failed' ? 'text-sunset' : undefined}>
            {trouble === 'loading' && 'Loading'}
            {trouble === 'failed' && 'It did not play. Press play to try again.'}
          </span>
          <span>{duration > 0 ? clock(Math.round(duration)) : ''}</span>
        </p>
      </div>
    </div>
  )
}
