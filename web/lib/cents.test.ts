import { expect, test } from 'vitest'
import { centsToDollars, parseCents } from './cents'

test.each([
  ['19.99', 1999],
  ['$19.99', 1999],
  [' 89 ', 8900],
  ['0', 0],
  ['0.07', 7],
  ['1.1', 110],
  ['1,250.50', 125050],
  // A fraction would make 1.15 * 100 = 114.99999999999999.
  ['1.15', 115],
  ['4.35', 435],
])('%j is %i cents', (text, cents) => {
  expect(parseCents(text)).toBe(cents)
})

test.each(['', 'free', '19,99', '1.999', '-5', '1e3', '1,25', '.', '$', '12 34', 'NaN'])('%j is no amount', (text) => {
  expect(parseCents(text)).toBeNull()
})

test('what is shown is read back as the same, for every amount', () => {
  for (let cents = 0; cents < 20_000; cents++) expect(parseCents(centsToDollars(cents))).toBe(cents)
})
