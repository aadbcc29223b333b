import { expect, test } from 'vitest'
import { moveItem } from './move-item'

test('moves an item and ignores places outside the list', () => {
  const list = ['a', 'b', 'c']
  expect(moveItem(list, 0, 2)).toEqual(['b', 'c', 'a'])
  expect(moveItem(list, 2, 0)).toEqual(['c', 'a', 'b'])
  expect(moveItem(list, 0, -1)).toEqual(list)
  expect(moveItem(list, 2, 3)).toEqual(list)
})
