import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addMonths, DAY_MS, dueCutoff, lastDueDay } from './clock'

const at = (iso: string) => Date.parse(iso)

test.each([
  ['2024-02-29T10:00:00.123Z', 36, '2027-02-28T10:00:00.123Z'],
  ['2023-02-28T00:00:00.000Z', 12, '2024-02-28T00:00:00.000Z'],
  ['2026-01-31T23:59:59.999Z', 1, '2026-02-28T23:59:59.999Z'],
  ['2025-12-15T12:00:00.000Z', 14, '2027-02-15T12:00:00.000Z'],
  ['2026-03-31T05:00:00.000Z', -1, '2026-02-28T05:00:00.000Z'],
  ['1969-12-31T23:59:59.999Z', 2, '1970-02-28T23:59:59.999Z'],
])('adds to %s %d months: %s', (from, months, to) => {
  expect(new Date(addMonths(at(from), months)).toISOString()).toBe(to)
})

test('ends on the last day of a short month', () => {
  expect(lastDueDay(at('2027-02-28T00:00:00Z'), 36)).toBe('2024-02-29')
  expect(lastDueDay(at('2027-02-27T23:59:59.999Z'), 36)).toBe('2024-02-27')
  expect(lastDueDay(at('2027-03-01T00:00:00Z'), 36)).toBe('2024-03-01')
})

test('never places a due record after the cutoff', () => {
  const timestamps = fc.integer({ min: at('2000-01-01T00:00:00Z'), max: at('2060-01-01T00:00:00Z') })
  fc.assert(
    fc.property(
      timestamps,
      fc.integer({ min: -4 * DAY_MS, max: 4 * DAY_MS }),
      fc.constantFrom(14, 26, 36, 84),
      (now, offset, months) => {
        const startedAt = addMonths(now, -months) + offset
        if (addMonths(startedAt, months) <= now) expect(startedAt).toBeLessThanOrEqual(dueCutoff(now, months))
      },
    ),
  )
})
