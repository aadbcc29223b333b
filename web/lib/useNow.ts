import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useHydrated } from './useHydrated'

/** Query key of the time a page was rendered, in epoch milliseconds. */
export const RENDERED_AT_KEY = ['drawn-at']

/**
 * The current time in epoch milliseconds, updated at this interval. During hydration it is the time at which
 * the page was rendered.
 */
export function useNow(intervalMs: number): number {
  const queries = useQueryClient()
  const isHydrated = useHydrated()
  const [now, setNow] = useState(
    () => (isHydrated ? undefined : queries.getQueryData<number>(RENDERED_AT_KEY)) ?? Date.now(),
  )
  useEffect(() => {
    const tick = () => setNow(Date.now())
    tick()
    const timer = setInterval(tick, intervalMs)
    return () => clearInterval(timer)
  }, [intervalMs])
  return now
}
