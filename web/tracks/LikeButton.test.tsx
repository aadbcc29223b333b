import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { type MockResponses, mockFetch, renderWithProviders, toastText } from '../testing/render'
import { buildSupporter } from '../testing/supporter.fixture'
import { buildTrack } from '../testing/track.fixture'
import { MusicSection } from './MusicSection'

const responses: MockResponses = { 'GET /api/auth/status': buildSupporter(), 'GET /api/tracks': [buildTrack()] }
const pointsResponse = { totalPoints: 1245, missions: [] }
const likeButtons = () => screen.findAllByRole('button', { name: 'Like First Light' })
const pressedStates = async () => (await likeButtons()).map((button) => button.getAttribute('aria-pressed'))

test('shows a like and its removal in player and list', async () => {
  mockFetch({
    ...responses,
    'POST /api/tracks/1/like': () => {
      mockFetch({ ...responses, 'GET /api/tracks': [buildTrack({ liked: true, likes: 20_950 })] })
      return Response.json({ likes: 20_950, liked: true, pointsAwarded: 5, ...pointsResponse })
    },
  })
  const { queryClient } = await renderWithProviders(<MusicSection />)
  await waitFor(() => expect(queryClient.getQueryData(['auth', 'status'])).toMatchObject({ points: 1240 }))
  fireEvent.click((await likeButtons())[0]!)
  await waitFor(() => expect(toastText()).toBe('plain | Liked! | Track added to your favorites. +5 points earned'))
  expect(await pressedStates()).toEqual(['true', 'true'])
  expect(screen.getByText('21K likes')).toBeDefined()

  mockFetch({
    ...responses,
    'DELETE /api/tracks/1/like': { likes: 20_031, liked: false, pointsAwarded: -5, totalPoints: 1240, missions: [] },
  })
  fireEvent.click((await likeButtons())[1]!)
  await waitFor(() => expect(toastText()).toBe('plain | Like removed | Track removed from your favorites. −5 points'))
  expect(await pressedStates()).toEqual(['false', 'false'])
})

test('asks a visitor to log in without sending a like', async () => {
  const { sent } = mockFetch({ ...responses, 'GET /api/auth/status': null })
  const { queryClient } = await renderWithProviders(<MusicSection />)
  await waitFor(() => expect(queryClient.getQueryData(['auth', 'status'])).toBeNull())
  fireEvent.click((await likeButtons())[0]!)
  await waitFor(() =>
    expect(toastText()).toBe('destructive | Login required | Please sign up or login to like a track'),
  )
  expect(sent.filter((request) => request.includes('like'))).toEqual([])
})

test('asks to log in after 401', async () => {
  mockFetch({ ...responses, 'POST /api/tracks/1/like': () => new Response('Please log in.', { status: 401 }) })
  await renderWithProviders(<MusicSection />)
  fireEvent.click((await likeButtons())[0]!)
  await waitFor(() => expect(toastText()).toMatch(/^destructive \| Login required/))
})
