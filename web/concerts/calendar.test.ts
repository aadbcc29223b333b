import { expect, test } from 'vitest'
import { addDays, addMonths, addMonthsToDay, laterMonth, longDay, weeksOf } from './calendar'
import { dayForKey } from './MonthGrid'

test.each([
  [{ year: 2026, month: 12 }, 1, { year: 2027, month: 1 }],
  [{ year: 2027, month: 1 }, -1, { year: 2026, month: 12 }],
  [{ year: 2026, month: 7 }, 18, { year: 2028, month: 1 }],
  [{ year: 2025, month: 7 }, -7, { year: 2024, month: 12 }],
])('moves %o by %i months to %o', (from, count, to) => {
  expect(addMonths(from, count)).toEqual(to)
})

test('finds the later of two months', () => {
  const [december, january] = [
    { year: 2025, month: 12 },
    { year: 2026, month: 1 },
  ]
  expect([laterMonth(december, january), laterMonth(january, december)]).toEqual([january, january])
})

test('fills whole weeks from Sunday', () => {
  const weeks = weeksOf({ year: 2025, month: 7 })
  expect(weeks.map((week) => week.length)).toEqual([7, 7, 7, 7, 7])
  expect(weeks[0]).toEqual([null, null, '2025-07-01', '2025-07-02', '2025-07-03', '2025-07-04', '2025-07-05'])
  expect(weeks[4]?.[4]).toBe('2025-07-31')
})

test('February has 29 days in a leap year, else 28', () => {
  expect(weeksOf({ year: 2028, month: 2 }).flat().filter(Boolean)).toHaveLength(29)
  expect(weeksOf({ year: 2027, month: 2 }).flat().filter(Boolean)).toHaveLength(28)
})

test('adds days and months across clock changes and years', () => {
  expect(addDays('2026-03-08', 1)).toBe('2026-03-09')
  expect(addDays('2026-12-31', 1)).toBe('2027-01-01')
  expect(addMonthsToDay('2026-01-31', 1)).toBe('2026-02-28')
  expect(addMonthsToDay('2026-12-15', 1)).toBe('2027-01-15')
})

test('formats a day independently of time zones', () => {
  expect(longDay('2026-11-28')).toBe('Saturday, November 28, 2026')
})

test.each([
  ['ArrowLeft', '2026-11-27'],
  ['ArrowRight', '2026-11-29'],
  ['ArrowUp', '2026-11-21'],
  ['ArrowDown', '2026-12-05'],
  ['Home', '2026-11-22'],
  ['End', '2026-11-28'],
  ['PageUp', '2026-10-28'],
  ['PageDown', '2026-12-28'],
  ['a', null],
])('%s moves from November 28 to %s', (key, day) => {
  expect(dayForKey(key, '2026-11-28')).toBe(day)
})

test('keys stop at the calendar’s first month', () => {
  expect(dayForKey('ArrowUp', '2025-07-03')).toBe('2025-07-03')
  expect(dayForKey('PageUp', '2025-07-31')).toBe('2025-07-31')
})
