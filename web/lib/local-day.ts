import { useSyncExternalStore } from 'react'
import { calendarDate } from './format'

const noSubscription = () => () => {}

/** The day of an instant (ISO 8601) where this code runs, in words. Components use the hook: a server knows no viewer. */
export function localDay(timestamp: string): string {
  const at = new Date(timestamp)
  const day = [at.getFullYear(), at.getMonth() + 1, at.getDate()].map((part) => String(part).padStart(2, '0'))
  return calendarDate(day.join('-'))
}

/** The day of an instant (ISO 8601) where the viewer is, in words; in UTC while rendering on the server. */
export function useLocalDay(timestamp: string): string {
  return useSyncExternalStore(
    noSubscription,
    () => localDay(timestamp),
    () => calendarDate(timestamp.slice(0, 10)),
  )
}
