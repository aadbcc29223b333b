import { useRef, useState } from 'react'

/** Why no sound comes: 'loading' while bytes are awaited, 'failed' when they did not come. */
type PlaybackProblem = 'none' | 'loading' | 'failed'

/** One recording and its native audio element. Whatever else plays on the page stops when this one begins. */
export function useAudioPlayback() {
  const audio = useRef<HTMLAudioElement>(null)
  const [playing, setPlaying] = useState(false)
  const [problem, setProblem] = useState<PlaybackProblem>('none')
  const [time, setTime] = useState(0)
  const [duration, setDuration] = useState(0)
  const fail = () => {
    setPlaying(false)
    setProblem('failed')
  }
  const seek = (seconds: number) => {
    if (audio.current) audio.current.currentTime = seconds
    setTime(seconds)
  }
  const play = () => {
    // What failed once is asked for anew.
    if (problem === 'failed') audio.current?.load()
    setProblem('loading')
    audio.current?.play().catch((error: unknown) => {
      // Pausing before the first sound aborts the promise; that is no failure.
      if (!(error instanceof DOMException && error.name === 'AbortError')) fail()
    })
  }
  return {
    playing,
    trouble: problem,
    time,
    duration,
    play,
    pause: () => audio.current?.pause(),
    seek,
    element: {
      ref: audio,
      onPlay: () => {
        for (const other of document.querySelectorAll('audio')) if (other !== audio.current) other.pause()
        setPlaying(true)
      },
      onPlaying: () => setProblem('none'),
      onWaiting: () => setProblem('loading'),
      onPause: () => {
        setPlaying(false)
        setProblem((now) => (now === 'failed' ? now : 'none'))
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
