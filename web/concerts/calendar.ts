import { formatCalendarDate, MONTHS, WEEKDAYS } from '../lib/format'

/** One month of the Gregorian calendar; `month` is 1 to 12. */
export type Month = { year: number; month: number }

/** The calendar cannot be paged back beyond this month. */
export const FIRST_MONTH: Month = { year: 2025, month: 7 }

export function addMonths({ year, month }: Month, count: number): Month {
  const months = year * 12 + (month - 1) + count
  return { year: Math.floor(months / 12), month: (((months % 12) + 12) % 12) + 1 }
}

/** The number of months from `b` to `a`; negative if `a` is earlier. */
export const compareMonths = (a: Month, b: Month): number => (a.year - b.year) * 12 + (a.month - b.month)

export const laterMonth = (a: Month, b: Month): Month => (compareMonths(a, b) < 0 ? b : a)

/** All months from FIRST_MONTH to `last`. */
export const monthsUntil = (last: Month): Month[] =>
  Array.from({ length: compareMonths(last, FIRST_MONTH) + 1 }, (_, index) => addMonths(FIRST_MONTH, index))

/** The month of a day. Days are YYYY-MM-DD dates at the venue, independent of time zones. */
export const monthOf = (day: string): Month => ({ year: Number(day.slice(0, 4)), month: Number(day.slice(5, 7)) })

export const dayInMonth = ({ year, month }: Month, dayNumber: number): string =>
  `${year}-${String(month).padStart(2, '0')}-${String(dayNumber).padStart(2, '0')}`

const daysInMonth = ({ year, month }: Month): number => new Date(Date.UTC(year, month, 0)).getUTCDate()

/** Weekday of a day; 0 is Sunday. */
export const weekdayOf = (day: string): number => new Date(`${day}T00:00:00Z`).getUTCDay()

export function addDays(day: string, count: number): string {
  const date = new Date(`${day}T00:00:00Z`)
  date.setUTCDate(date.getUTCDate() + count)
  return date.toISOString().slice(0, 10)
}

/** The same day `count` months away, or that month's last day if it is shorter. */
export function addMonthsToDay(day: string, count: number): string {
  const month = addMonths(monthOf(day), count)
  return dayInMonth(month, Math.min(Number(day.slice(8)), daysInMonth(month)))
}

/** Weeks of a month, Sunday first; null for days of other months. */
export function weeksOf(month: Month): (string | null)[][] {
  const blanks = weekdayOf(dayInMonth(month, 1))
  const cells: (string | null)[] = Array.from({ length: blanks }, () => null)
  for (let dayNumber = 1; dayNumber <= daysInMonth(month); dayNumber += 1) cells.push(dayInMonth(month, dayNumber))
  while (cells.length % 7 !== 0) cells.push(null)
  return Array.from({ length: cells.length / 7 }, (_, week) => cells.slice(week * 7, week * 7 + 7))
}

/** 'Saturday, November 28, 2026' */
export function longDay(day: string): string {
  return `${WEEKDAYS[weekdayOf(day)]}, ${formatCalendarDate(day)}`
}

/** 'Sat', 'Nov', '28'. */
export function posterDay(day: string): { weekday: string; month: string; day: string } {
  return {
    weekday: (WEEKDAYS[weekdayOf(day)] ?? '').slice(0, 3),
    month: (MONTHS[monthOf(day).month - 1] ?? '').slice(0, 3),
    day: day.slice(8),
  }
}
