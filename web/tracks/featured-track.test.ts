import { expect, test } from 'vitest'
import { buildTrack } from '../testing/track.fixture'
import { featuredTrack } from './featured-track'

test('features the first trending track', () => {
  const tracks = [buildTrack(), buildTrack({ id: 2, isTrending: true }), buildTrack({ id: 3, isTrending: true })]
  expect(featuredTrack(tracks)?.id).toBe(2)
})

test('features the first track if none is trending', () => {
  expect(featuredTrack([buildTrack({ id: 7 }), buildTrack({ id: 8 })])?.id).toBe(7)
})

test('features nothing without tracks', () => {
  expect(featuredTrack([])).toBeUndefined()
})
