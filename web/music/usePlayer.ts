import { useRef, useState } from 'react'
import type { TierId } from '../../worker/contract/site'
import type { Track } from '../../worker/contract/tracks'
import { countsAsStream, interrupt, listen, notListening } from './listening'
import { useStreamReport } from './tracks.queries'

/** Why no sound comes: 'loading' while bytes are awaited, 'failed' when they did not come. */
type Trouble = 'none' | 'loading' | 'failed'

/**
 * One instance of the player: a native audio element and what is known about it. It reports its stream once, as soon
 * as enough was truly heard; a report that fails is logged and nothing else (specification section 8).
 */
export function usePlayer(track: Track, tier: TierId) {
  const audio = useRef<HTMLAudioElement>(null)
  const [playing, setPlaying] = useState(false)
  const [trouble, setTrouble] = useState<Trouble>('none')
  const [time, setTime] = useState(0)
  const [duration, setDuration] = useState(track.duration)
  const listening = useRef(notListening)
  const sent = useRef(false)
  const report = useStreamReport()

  const play = () => {
    setTrouble('loading')
    audio.current?.play().catch((error: unknown) => {
      // Pausing before the first sound aborts the promise; that is no failure.
      if (!(error instanceof DOMException && error.name === 'AbortError')) fail()
    })
  }
  const pause = () => audio.current?.pause()
  const fail = () => {
    setPlaying(false)
    setTrouble('failed')
  }
  const seek = (to: number) => {
    listening.current = interrupt(listening.current)
    if (audio.current) audio.current.currentTime = to
    setTime(to)
  }
  const follow = () => {
    const at = audio.current?.currentTime ?? 0
    setTime(at)
    if (!audio.current || audio.current.paused || audio.current.seeking) return
    listening.current = listen(listening.current, at)
    if (sent.current || !countsAsStream(listening.current, track.duration)) return
    sent.current = true
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
    trouble,
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
      onPlaying: () => setTrouble('none'),
      onWaiting: () => setTrouble('loading'),
      onPause: () => {
        listening.current = interrupt(listening.current)
        setPlaying(false)
        setTrouble((now) => (now === 'failed' ? now : 'none'))
      },
      onSeeking: () => {
        listening.current = interrupt(listening.current)
      },
      onTimeUpdate: follow,
      onDurationChange: () => {
        const seconds = audio.current?.duration
        if (seconds && Number.isFinite(seconds)) setDuration(seconds)
      },
      onEnded: () => {
        pause()
        setPlaying(false)
        seek(0)
      },
      onError: fail,
    },
  }
}
