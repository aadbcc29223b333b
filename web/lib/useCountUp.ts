import { useEffect, useRef, useState } from 'react'
import { useReducedMotion } from './media'

const MILLIS = 700

/** A number on its way from what it was to what it is; at once for who asked for stillness. */
export function useCountUp(value: number): number {
  const still = useReducedMotion()
  const [shown, setShown] = useState(value)
  const from = useRef(value)
  useEffect(() => {
    const began = performance.now()
    const start = from.current
    let frame = 0
    const step = (now: number) => {
      const share = still ? 1 : Math.min(Math.max((now - began) / MILLIS, 0), 1)
      from.current = Math.round(start + (value - start) * (1 - (1 - share) ** 3))
      setShown(from.current)
      if (share < 1) frame = requestAnimationFrame(step)
    }
    if (start !== value) frame = requestAnimationFrame(step)
    return () => cancelAnimationFrame(frame)
  }, [value, still])
  return shown
}
