import { expect, test } from 'vitest'
import { REACHED_OFFSET, reachedSection } from './sections'

test('a section is reached 200 pixels below the top of the window', () => {
  expect(REACHED_OFFSET).toBe(200)
  expect(reachedSection([{ id: 'music', top: 201 }])).toBeNull()
  expect(reachedSection([{ id: 'music', top: 200 }])).toBe('music')
})

test('of the sections scrolled past, the last one is reached', () => {
  const tops = [
    { id: 'music', top: -1400 },
    { id: 'merch', top: 12 },
    { id: 'concerts', top: 900 },
  ]
  expect(reachedSection(tops)).toBe('merch')
})
