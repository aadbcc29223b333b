import { useQueryClient } from '@tanstack/react-query'
import { startTransition, useEffect, useState } from 'react'
import { useHydrated } from './useHydrated'

/** Query key of the time at which the server rendered the page, in epoch milliseconds. */
export const HYDRATION_TIME_KEY = ['hydration-time']

/**
 * The current time in epoch milliseconds, updated every `intervalMs`. During hydration, the time at which the server
 * rendered the page.
 */
export function useNow(intervalMs: number): number {
  const queryClient = useQueryClient()
  const isHydrated = useHydrated()
  const [now, setNow] = useState(
    () => (isHydrated ? undefined : queryClient.getQueryData<number>(HYDRATION_TIME_KEY)) ?? Date.now(),
  )
  useEffect(() => {
    const update = () => setNow(Date.now())
    // This update renders most pages again right after hydration; a transition is interruptible.
    startTransition(update)
    const timer = setInterval(update, intervalMs)
    return () => clearInterval(timer)
  }, [intervalMs])
  return now
}
