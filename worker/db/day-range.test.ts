import { expect, test } from 'vitest'
import { NOON } from '../testing/seed'
import { dayRange } from './day-range'

const NEW_YORK = 'America/New_York'
const timeOf = (iso: string) => Date.parse(iso)

test('ends a preset range on the artist’s current day', () => {
  // 10 PM in New York, already the next day in UTC.
  const range = dayRange({ days: '7' }, NEW_YORK, timeOf('2026-07-02T02:00:00Z'))
  expect([range.today, range.days[0]?.day, range.days.at(-1)?.day]).toEqual(['2026-07-01', '2026-06-25', '2026-07-01'])
  expect([range.before.length, range.before.at(-1)?.day]).toEqual([7, '2026-06-24'])
  expect(range.days.at(-1)?.beginsAt).toBe(timeOf('2026-07-01T04:00:00Z'))
})

test('gives the days of clock changes 23 or 25 hours', () => {
  const hoursOf = (day: string) => {
    const [rangeDay] = dayRange({ from: day, to: day }, NEW_YORK, timeOf('2026-12-01T12:00:00Z')).days
    return ((rangeDay?.endsAt ?? 0) - (rangeDay?.beginsAt ?? 0)) / 3_600_000
  }
  expect(['2026-03-08', '2026-11-01', '2026-07-01'].map(hoursOf)).toEqual([23, 25, 24])
})

test.each([
  { days: '31' },
  { from: '2026-06-01' },
  { from: '2026-06-31', to: '2026-07-01' },
  { from: '2026-06-30', to: '2026-06-01' },
  { from: '2026-06-30', to: '2026-07-02' },
  { from: '2025-06-30', to: '2026-07-01' },
])('rejects the range %j', (query) => {
  expect(() => dayRange(query, 'UTC', NOON)).toThrow(/^Please|^The last day/)
})
