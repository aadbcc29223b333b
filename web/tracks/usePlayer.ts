import { useEffect, useRef, useState } from 'react'
import type { TierId } from '../../worker/contract/site'
import type { Track } from '../../worker/contract/tracks'
import { countsAsStream, emptyListening, interrupt, listen } from './listening'
import { useStreamReport } from './tracks.queries'

type PlaybackStatus = 'ready' | 'loading' | 'failed'

/**
 * State of a native audio element. Reports the stream once, when enough of the track was heard, and only logs a failed
 * report.
 */
export function usePlayer(track: Track, tier: TierId) {
  const audio = useRef<HTMLAudioElement>(null)
  const [playing, setPlaying] = useState(false)
  const [status, setStatus] = useState<PlaybackStatus>('ready')
  const [time, setTime] = useState(0)
  const [duration, setDuration] = useState(track.duration)
  const listening = useRef(emptyListening)
  const isReported = useRef(false)
  const report = useStreamReport()

  const play = () => {
    setStatus('loading')
    audio.current?.play().catch((error: unknown) => {
      // Pausing before playback starts rejects the promise, which is no error.
      if (!(error instanceof DOMException && error.name === 'AbortError')) onFail()
    })
  }
  const pause = () => audio.current?.pause()
  const onFail = () => {
    setPlaying(false)
    setStatus('failed')
  }
  const seek = (seconds: number) => {
    listening.current = interrupt(listening.current)
    if (audio.current) audio.current.currentTime = seconds
    setTime(seconds)
  }
  const onTimeUpdate = () => {
    const position = audio.current?.currentTime ?? 0
    setTime(position)
    if (!audio.current || audio.current.paused || audio.current.seeking) return
    listening.current = listen(listening.current, position)
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
    status,
    time,
    duration,
    /** True once the stream was counted. */
    tracked: report.isSuccess,
    play,
    pause,
    seek,
    retry: () => {
      audio.current?.load()
      play()
    },
    /** Props of the audio element. */
    element: {
      ref: audio,
      onPlay: () => setPlaying(true),
      onPlaying: () => setStatus('ready'),
      onWaiting: () => setStatus('loading'),
      onPause: () => {
        listening.current = interrupt(listening.current)
        setPlaying(false)
        setStatus((current) => (current === 'failed' ? current : 'ready'))
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

type Controls = { play: () => void; pause: () => void; seek: (seconds: number) => void }

/** Shows the playing track on the lock screen with play, pause and seek. */
export function useMediaSession(track: Track, playing: boolean, controls: Controls) {
  const latest = useRef(controls)
  useEffect(() => {
    latest.current = controls
  })
  useEffect(() => {
    const session = navigator.mediaSession
    if (!playing || !session) return
    session.metadata = new MediaMetadata({
      title: track.title,
      artist: track.artist,
      album: track.album || 'Single',
      artwork: [{ src: track.coverUrl }],
    })
    session.setActionHandler('play', () => latest.current.play())
    session.setActionHandler('pause', () => latest.current.pause())
    session.setActionHandler('seekto', ({ seekTime }) => latest.current.seek(seekTime ?? 0))
  }, [track, playing])
  useEffect(
    () => () => {
      const session = navigator.mediaSession
      if (!session) return
      session.metadata = null
      for (const action of ['play', 'pause', 'seekto'] as const) session.setActionHandler(action, null)
    },
    [],
  )
}
