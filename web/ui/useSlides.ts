import { useEffect, useState } from 'react'
import { useReducedMotion } from '../lib/useReducedMotion'

/** Specification section 9: the next image after 3000 ms. */
const SLIDE_INTERVAL_MS = 3000

/** What makes the slides wait without pausing them. */
type PauseReason = 'pointer' | 'focus'

/**
 * Which of `count` slides shows. It moves on by itself until it is paused, and while it is held (pointed at or
 * focused) it waits, unless it was asked to play meanwhile; under reduced motion it stands still until it is.
 */
export function useSlides(count: number) {
  const still = useReducedMotion()
  const [index, setIndex] = useState(0)
  const [pauseReasons, setPauseReasons] = useState<readonly PauseReason[]>([])
  const isHeld = pauseReasons.length > 0
  const [playRequested, setPlayRequested] = useState<boolean | null>(null)
  const playing = count > 1 && (playRequested ?? !still)

  useEffect(() => {
    if (!playing || isHeld) return
    const timer = setTimeout(() => setIndex((index + 1) % count), SLIDE_INTERVAL_MS)
    return () => clearTimeout(timer)
  }, [playing, isHeld, index, count])

  return {
    index,
    playing,
    still,
    /** Shows a slide; the numbers go round. */
    show: (next: number) => setIndex((next + count) % count),
    toggle: () => {
      setPlayRequested(!playing)
      setPauseReasons([])
    },
    hold: (by: PauseReason) => setPauseReasons((others) => [...others.filter((holder) => holder !== by), by]),
    release: (by: PauseReason) => setPauseReasons((others) => others.filter((holder) => holder !== by)),
  }
}
