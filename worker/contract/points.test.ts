import { expect, test } from 'vitest'
import { LEVELS, levelAt } from './points'

test.each([
  [0, 'Demo Tape', 'Single', 0],
  [99, 'Demo Tape', 'Single', 0.99],
  [100, 'Single', 'EP', 0],
  [525, 'EP', 'Album', 0.5],
  [5999, 'Box Set', 'Master Tape', 2999 / 3000],
  [6000, 'Master Tape', undefined, 1],
  [1_000_000, 'Master Tape', undefined, 1],
])('%i points reach level %s before %s', (points, level, next, progress) => {
  const reached = levelAt(points)
  expect([reached.level.name, reached.next?.name]).toEqual([level, next])
  expect(reached.progress).toBeCloseTo(progress)
})

test('levels start at 0 points and ascend', () => {
  const minimums = LEVELS.map(({ from }) => from)
  expect(minimums[0]).toBe(0)
  expect(minimums).toEqual([...new Set(minimums)].sort((a, b) => a - b))
})
