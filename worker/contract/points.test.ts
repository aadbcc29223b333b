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
])('%i points reach level %s before %s', (points, level, next, share) => {
  const at = levelAt(points)
  expect([at.level.name, at.next?.name]).toEqual([level, next])
  expect(at.share).toBeCloseTo(share)
})

test('the first level needs 0 points, each next one more', () => {
  const starts = LEVELS.map(({ from }) => from)
  expect(starts[0]).toBe(0)
  expect(starts).toEqual([...new Set(starts)].sort((a, b) => a - b))
})
