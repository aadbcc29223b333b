import { expect, test } from 'vitest'
import { buildTrack } from '../testing/track.fixture'
import { canPlay, featuredTrack } from './featured-track'

test('the first trending track is featured', () => {
  const tracks = [buildTrack(), buildTrack({ id: 2, isTrending: true }), buildTrack({ id: 3, isTrending: true })]
  expect(featuredTrack(tracks)?.id).toBe(2)
})

test('without a trending track the first is featured', () => {
  expect(featuredTrack([buildTrack({ id: 7 }), buildTrack({ id: 8 })])?.id).toBe(7)
})

test('without tracks nothing is featured', () => {
  expect(featuredTrack([])).toBeUndefined()
})

test.each([
  ['bronze', false],
  ['silver', true],
  ['gold', true],
] as const)('an exclusive track is heard by %s: %s', (tier, heard) => {
  expect(canPlay(buildTrack({ isExclusive: true }), tier)).toBe(heard)
  expect(canPlay(buildTrack(), tier)).toBe(true)
})
