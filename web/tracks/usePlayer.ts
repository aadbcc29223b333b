import { useRef, useState } from 'react'
import type { TierId } from '../../worker/contract/site'
import type { Track } from '../../worker/contract/tracks'
import { countsAsStream, emptyListening, interrupt, listen } from './listening'
import { useStreamReport } from './tracks.queries'

/** Why no sound comes: 'loading' while bytes are awaited, 'failed' when they did not come. */
type PlaybackStatus = 'none' | 'loading' | 'failed'

/**
 * One instance of the player: a native audio element and what is known about it. It reports its stream once, as soon
 * as enough was truly heard; a report that fails is logged and nothing else (specification section 8).
 */
export function usePlayer(track: Track, tier: TierId) {
  const audio = useRef<HTMLAudioElement>(null)
  const [playing, setPlaying] = useState(false)
  const [status, setStatus] = useState<PlaybackStatus>('none')
  const [time, setTime] = useState(0)
  const [duration, setDuration] = useState(track.duration)
  const listening = useRef(emptyListening)
  const isReported = useRef(false)
  const report = useStreamReport()

  const play = () => {
    setStatus('loading')
    audio.current?.play().catch((error: unknown) => {
      // Pausing before the first sound aborts the promise; that is no failure.
      if (!(error instanceof DOMException && error.name === 'AbortError')) onFail()
    })
  }
  const pause = () => audio.current?.pause()
  const onFail = () => {
    setPlaying(false)
    setStatus('failed')
  }
  const seek = (to: number) => {
    listening.current = interrupt(listening.current)
    if (audio.current) audio.current.currentTime = to
    setTime(to)
  }
  const onTimeUpdate = () => {
    const at = audio.current?.currentTime ?? 0
    setTime(at)
    if (!audio.current || audio.current.paused || audio.current.seeking) return
    listening.current = listen(listening.current, at)
    if (isReported.current || !countsAsStream(listening.current, track.duration)) return
    isReported.current = true
    report.mutate(
      {
        trackId: String(track.id),
        platform: 'web',
        timestamp: new Date().toISOString(),
        userAgent: navigator.userAgent,
        userTier: tier,
      },
      { onError: (error) => console.warn('The stream could not be reported.', error) },
    )
  }

  return {
    playing,
    trouble: status,
    time,
    duration,
    /** True once the stream has been counted. */
    tracked: report.isSuccess,
    play,
    pause,
    seek,
    retry: () => {
      audio.current?.load()
      play()
    },
    /** For the audio element. */
    element: {
      ref: audio,
      onPlay: () => setPlaying(true),
      onPlaying: () => setStatus('none'),
      onWaiting: () => setStatus('loading'),
      onPause: () => {
        listening.current = interrupt(listening.current)
        setPlaying(false)
        setStatus((now) => (now === 'failed' ? now : 'none'))
      },
      onSeeking: () => {
        listening.current = interrupt(listening.current)
      },
      onTimeUpdate,
      onDurationChange: () => {
        const seconds = audio.current?.duration
        if (seconds && Number.isFinite(seconds)) setDuration(seconds)
      },
      onEnded: () => {
        pause()
        setPlaying(false)
        seek(0)
      },
      onError: onFail,
    },
  }
}
