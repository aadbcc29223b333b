import { useRef, useState } from 'react'
import { formatDuration } from '../lib/format'
import { PlayPauseIcon } from '../ui/PlayPauseIcon'
import { Range } from '../ui/Range'

/** Plays a verse or a beat; loads the audio on first play. `name` completes the labels, such as 'Play Low Tide'. */
export function VersePlayer({ src, name }: { src: string; name: string }) {
  const { isPlaying, status, time, duration, play, pause, seek, audioProps } = useAudioPlayback()
  return (
    <div className="verse-player">
      <audio src={src} preload="none" {...audioProps} />
      <button type="button" onClick={isPlaying ? pause : play} className="verse-play">
        <PlayPauseIcon isPlaying={isPlaying} size={22} playClassName="ml-0.5" />
        <span className="sr-only">{`${isPlaying ? 'Pause' : 'Play'} ${name}`}</span>
      </button>
      <div className="min-w-0 flex-1">
        <Range
          label={`Seek in ${name}`}
          value={time}
          valueText={formatDuration(time)}
          max={duration}
          step={1}
          disabled={duration === 0}
          onValueChange={seek}
        />
        <p className="tabular-figures -mt-2 flex justify-between gap-4 text-sm text-muted">
          <span>{formatDuration(time)}</span>
          <span role="status" className={status === 'failed' ? 'text-sunset' : undefined}>
            {status === 'loading' && 'Loading'}
            {status === 'failed' && 'It did not play. Press play to try again.'}
          </span>
          <span>{duration > 0 ? formatDuration(Math.round(duration)) : ''}</span>
        </p>
      </div>
    </div>
  )
}

/** 'loading' while waiting for data, 'failed' after an error until the user presses play again. */
type LoadStatus = 'none' | 'loading' | 'failed'

/** Playback of a native audio element. Starting it pauses the page's other players. */
function useAudioPlayback() {
  const audio = useRef<HTMLAudioElement>(null)
  const [isPlaying, setIsPlaying] = useState(false)
  const [status, setStatus] = useState<LoadStatus>('none')
  const [time, setTime] = useState(0)
  const [duration, setDuration] = useState(0)
  const fail = () => {
    setIsPlaying(false)
    setStatus('failed')
  }
  const seek = (seconds: number) => {
    if (audio.current) audio.current.currentTime = seconds
    setTime(seconds)
  }
  const play = () => {
    if (status === 'failed') audio.current?.load()
    setStatus('loading')
    audio.current?.play().catch((error: unknown) => {
      // Pausing before playback starts rejects the promise; that is not an error.
      if (!(error instanceof DOMException && error.name === 'AbortError')) fail()
    })
  }
  return {
    isPlaying,
    status,
    time,
    duration,
    play,
    pause: () => audio.current?.pause(),
    seek,
    audioProps: {
      ref: audio,
      onPlay: () => {
        for (const element of document.querySelectorAll('audio')) if (element !== audio.current) element.pause()
        setIsPlaying(true)
      },
      onPlaying: () => setStatus('none'),
      onWaiting: () => setStatus('loading'),
      onPause: () => {
        setIsPlaying(false)
        setStatus((current) => (current === 'failed' ? current : 'none'))
      },
      onTimeUpdate: () => setTime(audio.current?.currentTime ?? 0),
      onDurationChange: () => {
        const seconds = audio.current?.duration
        if (seconds && Number.isFinite(seconds)) setDuration(seconds)
      },
      onEnded: () => seek(0),
      onError: fail,
    },
  }
}
