import { addDays, compareMonths, FIRST_MONTH, monthOf, sameDayIn, weekdayOf } from './month'

const MOVES: Record<string, ((day: string) => string) | undefined> = {
  ArrowLeft: (day) => addDays(day, -1),
  ArrowRight: (day) => addDays(day, 1),
  ArrowUp: (day) => addDays(day, -7),
  ArrowDown: (day) => addDays(day, 7),
  Home: (day) => addDays(day, -weekdayOf(day)),
  End: (day) => addDays(day, 6 - weekdayOf(day)),
  PageUp: (day) => sameDayIn(day, -1),
  PageDown: (day) => sameDayIn(day, 1),
}

/** The day a key leads to from `day`, the same day where the calendar ends, null for a key that moves nothing. */
export function dayAfterKey(key: string, day: string): string | null {
  const target = MOVES[key]?.(day)
  if (target === undefined) return null
  return compareMonths(monthOf(target), FIRST_MONTH) < 0 ? day : target
}
