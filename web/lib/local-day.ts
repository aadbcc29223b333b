import { useSyncExternalStore } from 'react'
import { calendarDate } from './format'

const noSubscription = () => () => {}

/** The day of an instant (ISO 8601) where this code runs, in words. Components use the hook: a server knows no viewer. */
export function formatLocalDay(timestamp: string): string {
  const at = new Date(timestamp)
  const day = [at.getFullYear(), at.getMonth() + 1, at.getDate()].map((part) => String(part).padStart(2, '0'))
  return calendarDate(day.join('-'))
}

/** The day of an instant (ISO 8601) where the viewer is, in words; in UTC while rendering on the server. */
export function useLocalDay(timestamp: string): string {
  return useSyncExternalStore(
    noSubscription,
    () => formatLocalDay(timestamp),
    () => calendarDate(timestamp.slice(0, 10)),
  )
}

const noSubscription2 = () => () => {}

function readToday(): string {
  const now = new Date()
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, '0')).join('-')
}

/** Today where the viewer is, YYYY-MM-DD; null while rendering on the server, which cannot know it. */
export function useToday(): string | null {
  return useSyncExternalStore(noSubscription2, readToday, () => null)
}
