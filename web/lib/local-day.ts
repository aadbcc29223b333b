import { useSyncExternalStore } from 'react'
import { calendarDate } from './format'

const noSubscription = () => () => {}

/** 'July 20, 2025' in the runtime's time zone for an ISO 8601 timestamp. Server-rendered components use the hook. */
export function formatLocalDay(timestamp: string): string {
  const at = new Date(timestamp)
  const day = [at.getFullYear(), at.getMonth() + 1, at.getDate()].map((part) => String(part).padStart(2, '0'))
  return calendarDate(day.join('-'))
}

/** As `formatLocalDay` in the browser; in UTC on the server. */
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

/** Today in the browser's time zone, YYYY-MM-DD; null on the server. */
export function useToday(): string | null {
  return useSyncExternalStore(noSubscription2, readToday, () => null)
}
