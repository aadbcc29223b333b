import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addMonths, DAY_MS, dueCutoff, HOUR_MS, lastDueDay, MINUTE_MS, utcToZonedTime, zonedTimeToUtc } from './clock'

const NEW_YORK = 'America/New_York'
const iso = (at: number) => new Date(at).toISOString()

test.each([
  ['2026-07-04', '20:00', NEW_YORK, '2026-07-05T00:00:00.000Z'],
  ['2026-01-15', '20:00', NEW_YORK, '2026-01-16T01:00:00.000Z'],
  ['2028-02-29', '23:30', NEW_YORK, '2028-03-01T04:30:00.000Z'],
  ['2026-07-04', '20:00', 'Asia/Tokyo', '2026-07-04T11:00:00.000Z'],
  ['2026-07-04', '20:00', 'Asia/Kathmandu', '2026-07-04T14:15:00.000Z'],
  ['2026-12-31', '23:59', 'Pacific/Kiritimati', '2026-12-31T09:59:00.000Z'],
  ['2026-01-01', '00:00', 'Pacific/Pago_Pago', '2026-01-01T11:00:00.000Z'],
])('converts %s %s in %s to %s', (date, time, zone, utc) => {
  expect(iso(zonedTimeToUtc(date, time, zone))).toBe(utc)
  expect(utcToZonedTime(Date.parse(utc), zone)).toEqual({ date, time })
})

test('moves times skipped in spring an hour ahead', () => {
  expect(iso(zonedTimeToUtc('2026-03-08', '02:30', NEW_YORK))).toBe('2026-03-08T07:30:00.000Z')
  expect(utcToZonedTime(zonedTimeToUtc('2026-03-08', '02:30', NEW_YORK), NEW_YORK).time).toBe('03:30')
})

test('takes the first of times repeated in autumn', () => {
  expect(iso(zonedTimeToUtc('2026-11-01', '01:30', NEW_YORK))).toBe('2026-11-01T05:30:00.000Z')
})

test('converts times across half-hour daylight-saving changes', () => {
  const zone = 'Australia/Lord_Howe'
  expect(utcToZonedTime(zonedTimeToUtc('2026-04-05', '01:45', zone), zone)).toEqual({
    date: '2026-04-05',
    time: '01:45',
  })
  expect(utcToZonedTime(zonedTimeToUtc('2026-10-04', '02:15', zone), zone)).toEqual({
    date: '2026-10-04',
    time: '02:45',
  })
})

test('formats midnight as 00:00 of the new day', () => {
  expect(utcToZonedTime(Date.parse('2026-07-05T04:00:00Z'), NEW_YORK)).toEqual({ date: '2026-07-05', time: '00:00' })
})

test('round-trips local times', () => {
  const zones = fc.constantFrom(
    NEW_YORK,
    'America/Chicago',
    'Europe/Berlin',
    'Asia/Tokyo',
    'Australia/Lord_Howe',
    'UTC',
  )
  const timestamps = fc.integer({ min: Date.parse('2025-01-01'), max: Date.parse('2040-01-01') })
  fc.assert(
    fc.property(zones, timestamps, (zone, ms) => {
      const at = Math.floor(ms / MINUTE_MS) * MINUTE_MS
      const shown = utcToZonedTime(at, zone)
      const back = zonedTimeToUtc(shown.date, shown.time, zone)
      expect(utcToZonedTime(back, zone)).toEqual(shown)
      expect(back).toBeLessThanOrEqual(at)
      expect(at - back).toBeLessThanOrEqual(HOUR_MS)
    }),
    { numRuns: 300 },
  )
})

test.each([
  ['2024-02-29T10:00:00.123Z', 36, '2027-02-28T10:00:00.123Z'],
  ['2023-02-28T00:00:00.000Z', 12, '2024-02-28T00:00:00.000Z'],
  ['2026-01-31T23:59:59.999Z', 1, '2026-02-28T23:59:59.999Z'],
  ['2025-12-15T12:00:00.000Z', 14, '2027-02-15T12:00:00.000Z'],
  ['2026-03-31T05:00:00.000Z', -1, '2026-02-28T05:00:00.000Z'],
  ['1969-12-31T23:59:59.999Z', 2, '1970-02-28T23:59:59.999Z'],
])('%s plus %d months is %s', (from, months, to) => {
  expect(iso(addMonths(Date.parse(from), months))).toBe(to)
})

test('the last due day accounts for months of different lengths', () => {
  expect(lastDueDay(Date.parse('2027-02-28T00:00:00Z'), 36)).toBe('2024-02-29')
  expect(lastDueDay(Date.parse('2027-02-27T23:59:59.999Z'), 36)).toBe('2024-02-27')
  expect(lastDueDay(Date.parse('2027-03-01T00:00:00Z'), 36)).toBe('2024-03-01')
})

test('no due record is later than the cutoff', () => {
  const timestamps = fc.integer({ min: Date.parse('2000-01-01T00:00:00Z'), max: Date.parse('2060-01-01T00:00:00Z') })
  fc.assert(
    fc.property(
      timestamps,
      fc.integer({ min: -4 * DAY_MS, max: 4 * DAY_MS }),
      fc.constantFrom(14, 26, 36, 84),
      (now, offsetMs, months) => {
        const startedAt = addMonths(now, -months) + offsetMs
        if (addMonths(startedAt, months) <= now) expect(startedAt).toBeLessThanOrEqual(dueCutoff(now, months))
      },
    ),
  )
})
