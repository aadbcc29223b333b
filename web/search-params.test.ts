import { expect, test } from 'vitest'
import { clampQuantity, parseCheckoutSearch, parseSubscribeSearch } from './search-params'

test.each([
  [undefined, 1],
  ['', 1],
  ['many', 1],
  [0, 1],
  [-4, 1],
  [2.9, 2],
  ['3', 3],
  [99, 99],
  [100, 99],
  [Number.POSITIVE_INFINITY, 99],
])('clamps the quantity %o to %i', (value, quantity) => {
  expect(clampQuantity(value)).toBe(quantity)
})

test('accepts numeric product ids and ignores other values', () => {
  expect(parseCheckoutSearch({ product: 7, quantity: '2', other: 'x' })).toEqual({ product: '7', quantity: 2 })
  expect(parseCheckoutSearch({ product: { id: 1 } })).toEqual({})
})

test.each([[{ tier: 'bronze' }], [{ tier: 7 }], [{ tier: ['gold'] }], [{}]])('preselects no tier for %o', (search) => {
  expect(parseSubscribeSearch(search)).toEqual({})
})
