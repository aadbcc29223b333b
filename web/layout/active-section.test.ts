import { expect, test } from 'vitest'
import { ACTIVE_SECTION_OFFSET_PX, activeSection } from './active-section'

test('activates a section at most 200 pixels below the top', () => {
  expect(ACTIVE_SECTION_OFFSET_PX).toBe(200)
  expect(activeSection([{ id: 'music', top: 201 }])).toBeNull()
  expect(activeSection([{ id: 'music', top: 200 }])).toBe('music')
})

test('activates the last section scrolled past', () => {
  const sections = [
    { id: 'music', top: -1400 },
    { id: 'merch', top: 12 },
    { id: 'concerts', top: 900 },
  ]
  expect(activeSection(sections)).toBe('merch')
})
