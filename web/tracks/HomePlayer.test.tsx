import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { PlayerBar } from '../player/PlayerBar'
import { loadPlayer } from '../player/player-commands'
import { resetPlayback } from '../player/player-engine'
import { mockFetch, renderWithProviders, toastText } from '../testing/render'
import { buildTrack } from '../testing/track.fixture'
import { HomePlayer } from './HomePlayer'
import { toQueueTrack } from './playable-track'

const REPORT_STREAM = 'POST /api/tracks/stream'
const STREAM_NOTE = 'Stream tracked for analytics and monetization insights'
const reportResponses = { [REPORT_STREAM]: { pointsAwarded: 0 } }

async function renderPlayer(changes: Parameters<typeof buildTrack>[0] = {}) {
  const track = buildTrack(changes)
  await renderWithProviders(
    <>
      <HomePlayer track={track} tier="bronze" queue={[toQueueTrack(track)]} shouldFocusTitle={false} />
      <PlayerBar />
    </>,
  )
  const audio = () => document.querySelector('audio')!
  const playSeconds = (from: number, to: number) => {
    for (let second = from; second <= to; second += 1) {
      audio().currentTime = second
      fireEvent.timeUpdate(audio())
    }
  }
  return { audio, playSeconds }
}
beforeAll(async () => void (await loadPlayer()))
afterEach(() => {
  cleanup()
  resetPlayback()
  localStorage.clear()
})
const press = (name: string) => act(async () => fireEvent.click(screen.getByRole('button', { name })))
/** Waits for pending requests and returns the stream reports. */
async function streamReports(sent: string[]) {
  await act(() => new Promise((resolve) => setTimeout(resolve, 20)))
  return sent.filter((request) => request.startsWith(REPORT_STREAM))
}

test('toggles play and pause', async () => {
  mockFetch({})
  await renderPlayer()
  await press('Play First Light')
  await press('Pause First Light')
  expect(screen.getByRole('button', { name: 'Play First Light' })).toBeTruthy()
})

test('fetches no audio before the first play', async () => {
  mockFetch({})
  const { audio } = await renderPlayer()
  expect(audio()).toBeNull()
  await press('Play First Light')
  expect(audio().getAttribute('src')).toBe('/api/tracks/1/audio')
})

test('starts at the position chosen before the first play', async () => {
  mockFetch({})
  const { audio } = await renderPlayer()
  fireEvent.change(screen.getByRole('slider', { name: 'Seek' }), { target: { value: '50' } })
  await press('Play First Light')
  expect(audio().currentTime).toBe(50)
})

test('opens the Spotify link in a new tab without opener', async () => {
  mockFetch({})
  const windowOpen = vi.spyOn(window, 'open').mockReturnValue(null)
  await renderPlayer({ spotifyUrl: 'https://spotify.example/track' })
  await press('Play First Light')
  expect(windowOpen.mock.calls).toEqual([['https://spotify.example/track', '_blank', 'noopener']])
})

test('opens no tab for a track without Spotify link', async () => {
  mockFetch({})
  const windowOpen = vi.spyOn(window, 'open').mockReturnValue(null)
  await renderPlayer()
  await press('Play First Light')
  expect(windowOpen).not.toHaveBeenCalled()
})

test('reports a stream once after 30 seconds', async () => {
  const { sent } = mockFetch(reportResponses)
  const { playSeconds } = await renderPlayer()
  await press('Play First Light')
  playSeconds(0, 29)
  expect(await streamReports(sent)).toEqual([])
  expect(screen.queryByText(STREAM_NOTE)).toBeNull()
  playSeconds(30, 40)
  await waitFor(() => expect(screen.getByText(STREAM_NOTE)).toBeTruthy())
  expect(await streamReports(sent)).toHaveLength(1)
  expect(JSON.parse((await streamReports(sent))[0]!.slice(REPORT_STREAM.length))).toMatchObject({
    trackId: '1',
    platform: 'web',
    userTier: 'bronze',
    userAgent: navigator.userAgent,
  })
})

test('does not count a seek as listening', async () => {
  const { sent } = mockFetch(reportResponses)
  const { audio, playSeconds } = await renderPlayer()
  await press('Play First Light')
  playSeconds(0, 5)
  fireEvent.seeking(audio())
  playSeconds(100, 119)
  expect(await streamReports(sent)).toEqual([])
})

test('does not count repeated short seeks as listening', async () => {
  const { sent } = mockFetch(reportResponses)
  const { audio } = await renderPlayer()
  await press('Play First Light')
  for (let seconds = 0; seconds < 110; seconds += 4) {
    fireEvent.seeking(audio())
    audio().currentTime = seconds
    fireEvent.timeUpdate(audio())
  }
  expect(await streamReports(sent)).toEqual([])
})

test('logs a failed stream report and shows nothing', async () => {
  const { sent } = mockFetch({ [REPORT_STREAM]: () => new Response('No.', { status: 500 }) })
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const { playSeconds } = await renderPlayer()
  await press('Play First Light')
  playSeconds(0, 40)
  await waitFor(() => expect(warn).toHaveBeenCalledOnce())
  expect(await streamReports(sent)).toHaveLength(1)
  expect(screen.queryByText(STREAM_NOTE)).toBeNull()
  expect(toastText()).toBe('')
})

test('pauses at the end and returns to the start', async () => {
  mockFetch(reportResponses)
  const { audio, playSeconds } = await renderPlayer()
  await press('Play First Light')
  playSeconds(118, 120)
  await act(async () => fireEvent.ended(audio()))
  expect(audio().currentTime).toBe(0)
  for (const seek of screen.getAllByRole('slider', { name: 'Seek' }))
    expect(seek.getAttribute('aria-valuetext')).toBe('0:00')
  expect(screen.getByRole('button', { name: 'Play First Light' })).toBeTruthy()
})

test('shows an audio error with a retry', async () => {
  mockFetch({})
  const { audio } = await renderPlayer()
  await press('Play First Light')
  const load = vi.spyOn(audio(), 'load').mockImplementation(() => {})
  await act(async () => fireEvent.error(audio()))
  expect(screen.getByRole('alert').textContent).toContain('The recording could not be loaded.')
  await press('Try again')
  expect(load).toHaveBeenCalledOnce()
  expect(screen.queryByRole('alert')).toBeNull()
})

test('offers volumes from 0 to 1 in steps of 0.05', async () => {
  mockFetch({})
  await renderPlayer()
  const slider = screen.getByRole('slider', { name: 'Volume' })
  expect(['min', 'max', 'step'].map((name) => slider.getAttribute(name))).toEqual(['0', '1', '0.05'])
})

test('shortens counts and marks a trending track', async () => {
  mockFetch({})
  await renderPlayer({ isTrending: true })
  for (const text of ['50.2K plays', '20K likes', 'TRENDING']) expect(screen.getByText(text)).toBeTruthy()
})

test('locks an exclusive track for bronze', async () => {
  mockFetch({})
  const { audio } = await renderPlayer({ isExclusive: true })
  expect(audio()).toBeNull()
  expect(screen.getByText(/for Silver and Gold/)).toBeTruthy()
})
