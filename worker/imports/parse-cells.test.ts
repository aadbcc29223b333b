import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseCents, parseTime } from './parse-cells'

test.each([' '.repeat(200), `${'1 '.repeat(100)}x`, `1${' '.repeat(5_000)}x`, `${' '.repeat(30)}x`])(
  'rejects a malformed amount in linear time',
  (text) => {
    const startedAt = performance.now()
    for (let i = 0; i < 10_000; i++) expect(parseCents(text)).toBe(null)
    expect(performance.now() - startedAt).toBeLessThan(2_000)
  },
)

test.each([
  ['2021-04-12', '2021-04-12T00:00:00Z'],
  ['2021-04-12 17:13:05', '2021-04-12T17:13:05Z'],
  ['2021-04-12 17:13:05.123456', '2021-04-12T17:13:05Z'],
  ['2021-04-12 17:13:05 -0400', '2021-04-12T21:13:05Z'],
  ['2021-04-12T17:13:05+05:30', '2021-04-12T11:43:05Z'],
  ['4/12/21 5:13pm', '2021-04-12T17:13:00Z'],
  ['4/12/21 12:13am', '2021-04-12T00:13:00Z'],
  ['12/31/2025 23:59', '2025-12-31T23:59:00Z'],
  ['13 May 2026 23:28:01 GMT', '2026-05-13T23:28:01Z'],
  ['Apr 12, 2021', '2021-04-12T00:00:00Z'],
])('reads the time %s', (text, iso) => expect(parseTime(text)).toBe(Date.parse(iso)))

test.each([
  '',
  'soon',
  '31/12/2021',
  '2021-02-30',
  '2021-04-12 25:00',
  '4/12/21 13:00pm',
  '1/1',
  '0000-01-01',
  '44298',
])('reads no time in %j', (text) => expect(parseTime(text)).toBe(null))

test.each([
  ['12', 1_200],
  ['12.5', 1_250],
  ['1,234.50', 123_450],
  ['1.234,50', 123_450],
  ['1,234', 123_400],
  ['$12.00', 1_200],
  ['12,00 €', 1_200],
  ['-3.10', -310],
  ['.99', 99],
  ['', null],
  ['a lot', null],
  ['1.2.3', null],
  ['99999999999', null],
  ['US$ 12', 1_200],
  ['12 EUR', 1_200],
])('reads the amount %j', (text, cents) => expect(parseCents(text)).toBe(cents))

test('round-trips amounts in whole cents', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 10_000_000 }), (cents) => {
      expect(parseCents((cents / 100).toFixed(2))).toBe(cents)
      expect(parseCents((cents / 100).toLocaleString('de-DE', { minimumFractionDigits: 2 }))).toBe(cents)
    }),
  )
})
