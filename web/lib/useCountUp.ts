import { useEffect, useRef, useState } from 'react'
import { useReducedMotion } from './useReducedMotion'

const DURATION_MS = 700

/** Animates from the previous value to the new one, unless reduced motion is preferred. */
export function useCountUp(value: number): number {
  const reducedMotion = useReducedMotion()
  const [displayedValue, setDisplayedValue] = useState(value)
  const from = useRef(value)
  useEffect(() => {
    const startedAt = performance.now()
    const start = from.current
    let frame = 0
    const step = (now: number) => {
      const progress = reducedMotion ? 1 : Math.min(Math.max((now - startedAt) / DURATION_MS, 0), 1)
      from.current = Math.round(start + (value - start) * (1 - (1 - progress) ** 3))
      setDisplayedValue(from.current)
      if (progress < 1) frame = requestAnimationFrame(step)
    }
    if (start !== value) frame = requestAnimationFrame(step)
    return () => cancelAnimationFrame(frame)
  }, [value, reducedMotion])
  return displayedValue
}
