import { expect, test } from 'vitest'
import { formatBytes, formatCents, formatCompactNumber, formatDuration, parseCents } from './format'

test.each([
  [0, '0'],
  [999, '999'],
  [1_000, '1K'],
  [1_049, '1K'],
  [1_050, '1.1K'],
  [50_214, '50.2K'],
  [20_031, '20K'],
  [999_949, '999.9K'],
  [999_950, '1M'],
  [2_543_892, '2.5M'],
])('formats %i as %s', (count, text) => {
  expect(formatCompactNumber(count)).toBe(text)
})

test.each([
  [0, '0:00'],
  [7.99, '0:07'],
  [167, '2:47'],
  [3665, '61:05'],
  [Number.NaN, '0:00'],
])('formats %d seconds as %s', (seconds, text) => {
  expect(formatDuration(seconds)).toBe(text)
})

test.each([
  ['19.99', 1999],
  ['$19.99', 1999],
  [' 89 ', 8900],
  ['0', 0],
  ['0.07', 7],
  ['1.1', 110],
  ['1,250.50', 125050],
  // In floating point 1.15 * 100 is 114.99999999999999.
  ['1.15', 115],
  ['4.35', 435],
])('parses %j as %i cents', (text, cents) => {
  expect(parseCents(text)).toBe(cents)
})

test.each(['', 'free', '19,99', '1.999', '-5', '1e3', '1,25', '.', '$', '12 34', 'NaN'])('rejects %j', (text) => {
  expect(parseCents(text)).toBeNull()
})

test('parses every formatted amount back to its cents', () => {
  for (let cents = 0; cents < 20_000; cents++) expect(parseCents(formatCents(cents))).toBe(cents)
})

test.each([
  [300_000, '300 KB'],
  [1_240_000, '1.2 MB'],
  [10_737_418_240, '10.7 GB'],
])('formats %i bytes as %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text)
})
