import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useHydrated } from './useHydrated'

/** Where a page that the worker drew says as of when it was drawn, in epoch milliseconds. */
export const RENDERED_AT_KEY = ['drawn-at']

/**
 * The time now in milliseconds, looked at every `every` milliseconds. While React takes over what the worker drew, it is
 * the time that the worker drew it by, whatever this browser's clock says.
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
