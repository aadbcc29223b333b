import { expect, test } from 'vitest'
import { stockState } from './StockLabel'

test.each([
  [84, 'plenty'],
  [10, 'plenty'],
  [9, 'few'],
  [1, 'few'],
  [0, 'none'],
])('labels a stock of %i as %s', (stock, state) => {
  expect(stockState(stock)).toBe(state)
})
