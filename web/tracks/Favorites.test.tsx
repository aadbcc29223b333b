import { fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { getPlayback } from '../player/playback-store'
import { resetPlayback } from '../player/player-engine'
import { type MockResponses, mockFetch, renderWithProviders, toastText } from '../testing/render'
import { buildSupporter } from '../testing/supporter.fixture'
import { buildTrack } from '../testing/track.fixture'
import { Toaster } from '../ui/Toaster'
import { Favorites } from './Favorites'

beforeEach(() => {
  resetPlayback()
  vi.spyOn(HTMLMediaElement.prototype, 'play').mockResolvedValue()
})

const tracks = [
  buildTrack({ liked: true }),
  buildTrack({ id: 2, title: 'Not Mine' }),
  buildTrack({ id: 3, title: 'Locked', liked: true, isExclusive: true }),
  buildTrack({ id: 4, title: 'Closer', liked: true }),
]
const responses: MockResponses = {
  'GET /api/auth/status': buildSupporter({ tier: 'bronze' }),
  'GET /api/tracks': tracks,
}
const findRemoveButtons = () => screen.findAllByRole('button', { name: /^Remove/ })

test('plays all liked tracks that the tier includes', async () => {
  mockFetch(responses)
  await renderWithProviders(<Favorites />)
  fireEvent.click(await screen.findByRole('button', { name: 'Play all' }))
  await waitFor(() => expect(getPlayback().queue.map(({ title }) => title)).toEqual(['First Light', 'Closer']))
  expect(screen.queryByText('Not Mine')).toBeNull()
  expect(screen.getByRole('link', { name: /^Locked is for Silver and Gold/ })).toBeDefined()
  fireEvent.click(screen.getByRole('button', { name: 'Play Closer' }))
  await waitFor(() => expect(getPlayback().current?.title).toBe('Closer'))
})

test('removes a favorite and restores it by undo', async () => {
  mockFetch(responses)
  await renderWithProviders(
    <>
      <Favorites />
      <Toaster />
    </>,
  )
  expect(await findRemoveButtons()).toHaveLength(3)
  const award = { pointsAwarded: -5, totalPoints: 5, missions: [] }
  mockFetch({
    ...responses,
    'GET /api/tracks': tracks.map((track) => ({ ...track, liked: track.liked && track.id !== 4 })),
    'DELETE /api/tracks/4/like': { likes: 1, liked: false, ...award },
  })
  const button = screen.getByRole('button', { name: 'Remove Closer from your favorites' })
  button.focus()
  fireEvent.click(button)
  await waitFor(async () => expect(await findRemoveButtons()).toHaveLength(2))
  expect(toastText()).toBe('plain | Like removed | Track removed from your favorites. −5 points')
  await waitFor(() => expect(document.activeElement?.getAttribute('tabindex')).toBe('-1'))
  mockFetch({ ...responses, 'POST /api/tracks/4/like': { likes: 2, liked: true, ...award, pointsAwarded: 0 } })
  fireEvent.click(await screen.findByRole('button', { name: 'Undo' }))
  await waitFor(async () => expect(await findRemoveButtons()).toHaveLength(3))
  expect(toastText()).toBe(
    'plain | Liked! | Track added to your favorites. A track earns points only the first time you like it',
  )
})

test('says how to add the first favorite', async () => {
  mockFetch({ ...responses, 'GET /api/tracks': [buildTrack()] })
  await renderWithProviders(<Favorites />)
  expect(await screen.findByText(/^Nothing here yet. Press the heart/)).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Play all' })).toBeNull()
})
