import { Pause, Play } from 'lucide-react'
import { formatDuration } from '../lib/format'
import { Range } from '../ui/Range'
import { useAudioPlayback } from './useAudioPlayback'

/** Plays one verse. Nothing of it is fetched before somebody wants to hear it. */
export function VersePlayer({ src, name }: { src: string; name: string }) {
  const { playing, trouble: problem, time, duration, play, pause, seek, element } = useAudioPlayback()
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
          valueText={formatDuration(time)}
          max={duration}
          step={1}
          disabled={duration === 0}
          onValue={seek}
        />
        <p className="figures -mt-2 flex justify-between gap-4 text-sm text-muted">
          <span>{formatDuration(time)}</span>
          <span role="status" className={problem === 'failed' ? 'text-sunset' : undefined}>
            {problem === 'loading' && 'Loading'}
            {problem === 'failed' && 'It did not play. Press play to try again.'}
          </span>
          <span>{duration > 0 ? formatDuration(Math.round(duration)) : ''}</span>
        </p>
      </div>
    </div>
  )
}
