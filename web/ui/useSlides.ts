import { useEffect, useState } from 'react'
import { useReducedMotion } from '../lib/media'

/** Specification section 9: the next image after 3000 ms. */
export const SLIDE_MILLIS = 3000

/**
 * Which of `count` slides shows. It moves on by itself until it is paused, and while it is held (pointed at or
 * focused) it waits; under reduced motion it stands still until it is asked to play.
 */
export function useSlides(count: number) {
  const still = useReducedMotion()
  const [index, setIndex] = useState(0)
  const [held, hold] = useState(false)
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
    toggle: () => want(!playing),
    hold,
  }
}
