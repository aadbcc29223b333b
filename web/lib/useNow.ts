import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTakenOver } from './taken-over'

/** Where a page that the worker drew says as of when it was drawn, in epoch milliseconds. */
export const DRAWN_AT = ['drawn-at']

/**
 * The time now in milliseconds, looked at every `every` milliseconds. While React takes over what the worker drew, it is
 * the time that the worker drew it by, whatever this browser's clock says.
 */
export function useNow(every: number): number {
  const queries = useQueryClient()
  const isTakenOver = useTakenOver()
  const [now, setNow] = useState(() => (isTakenOver ? undefined : queries.getQueryData<number>(DRAWN_AT)) ?? Date.now())
  useEffect(() => {
    const look = () => setNow(Date.now())
    look()
    const timer = setInterval(look, every)
    return () => clearInterval(timer)
  }, [every])
  return now
}
