import { formatCalendarDate } from './format'
import { useHydrated } from './useHydrated'

/** YYYY-MM-DD in the runtime's time zone. */
const localDate = (date: Date): string =>
  [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0')).join('-')

/** 'July 20, 2025' in the runtime's time zone for an ISO 8601 timestamp. On the server, use `useLocalDay`. */
export const formatLocalDay = (timestamp: string): string => formatCalendarDate(localDate(new Date(timestamp)))

/** `formatLocalDay` in the browser; on the server and during hydration the day in UTC. */
export const useLocalDay = (timestamp: string): string =>
  useHydrated() ? formatLocalDay(timestamp) : formatCalendarDate(timestamp.slice(0, 10))

/** Today in the browser's time zone, YYYY-MM-DD; null on the server and during hydration. */
export const useToday = (): string | null => (useHydrated() ? localDate(new Date()) : null)
