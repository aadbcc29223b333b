import { expect, test } from 'vitest'
import { aTrack } from '../testing/a-track'
import { featuredTrack, mayHear } from './featured'

test('the first trending track is featured', () => {
  const tracks = [aTrack(), aTrack({ id: 2, isTrending: true }), aTrack({ id: 3, isTrending: true })]
  expect(featuredTrack(tracks)?.id).toBe(2)
})

test('without a trending track the first is featured', () => {
  expect(featuredTrack([aTrack({ id: 7 }), aTrack({ id: 8 })])?.id).toBe(7)
})

test('without tracks nothing is featured', () => {
  expect(featuredTrack([])).toBeUndefined()
})

test.each([
  ['bronze', false],
  ['silver', true],
  ['gold', true],
] as const)('an exclusive track is heard by %s: %s', (tier, heard) => {
  expect(mayHear(aTrack({ isExclusive: true }), tier)).toBe(heard)
  expect(mayHear(aTrack(), tier)).toBe(true)
})
