import { expect, test } from 'vitest'
import { formatCompactNumber } from './compact-number'

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
])('%i is written %s', (count, text) => {
  expect(formatCompactNumber(count)).toBe(text)
})
