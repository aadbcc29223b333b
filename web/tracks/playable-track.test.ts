import { expect, test } from 'vitest'
import { buildTrack } from '../testing/track.fixture'
import { isUnlocked } from './playable-track'

test.each([
  ['bronze', false],
  ['silver', true],
  ['gold', true],
] as const)('an exclusive track is unlocked for %s: %s', (tier, isExclusiveUnlocked) => {
  expect(isUnlocked(buildTrack({ isExclusive: true }), tier)).toBe(isExclusiveUnlocked)
  expect(isUnlocked(buildTrack(), tier)).toBe(true)
})
