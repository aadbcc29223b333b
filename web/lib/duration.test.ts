import { expect, test } from 'vitest'
import { formatDuration } from './duration'

test.each([
  [0, '0:00'],
  [7.99, '0:07'],
  [167, '2:47'],
  [3665, '61:05'],
  [Number.NaN, '0:00'],
])('%d seconds are written %s', (seconds, text) => {
  expect(formatDuration(seconds)).toBe(text)
})
