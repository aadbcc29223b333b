import { useEffect, useState } from 'react'
import { useReducedMotion } from '../lib/media'

/** Specification section 9: the next image after 3000 ms. */
const SLIDE_MILLIS = 3000

/** What makes the slides wait without pausing them. */
type Holder = 'pointer' | 'focus'

/**
 * Which of `count` slides shows. It moves on by itself until it is paused, and while it is held (pointed at or
 * focused) it waits, unless it was asked to play meanwhile; under reduced motion it stands still until it is.
 */
export function useSlides(count: number) {
  const still = useReducedMotion()
  const [index, setIndex] = useState(0)
  const [holders, setHolders] = useState<readonly Holder[]>([])
  const held = holders.length > 0
  const [wanted, want] = useState<boolean | null>(null)
  const playing = count > 1 && (wanted ?? !still)

  useEffect(() => {
    if (!playing || held) return
    const timer = setTimeout(() => setIndex((index + 1) % count), SLIDE_MILLIS)
    return () => clearTimeout(timer)
  }, [playing, held, index, count])

  return {
    index,
    playing,
    still,
    /** Shows a slide; the numbers go round. */
    show: (next: number) => setIndex((next + count) % count),
    toggle: () => {
      want(!playing)
      setHolders([])
    },
    hold: (by: Holder) => setHolders((others) => [...others.filter((holder) => holder !== by), by]),
    release: (by: Holder) => setHolders((others) => others.filter((holder) => holder !== by)),
  }
}
