import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { resetPlayback } from '../player/player-engine'
import { getPlayback, playQueue } from '../player/player-store'
import { buildRelease, buildReleaseTrack } from '../testing/release.fixture'
import { type MockResponses, renderApp } from '../testing/render'
import { buildSite } from '../testing/site.fixture'
import { buildSupporter } from '../testing/supporter.fixture'
import { buildTrack } from '../testing/track.fixture'

beforeEach(() => {
  resetPlayback()
  vi.spyOn(HTMLMediaElement.prototype, 'play').mockResolvedValue()
})

const lyrics = {
  plain: 'One line\nAnother line',
  lines: [
    { at: 2, text: 'One line' },
    { at: 8, text: 'Another line' },
  ],
}
const tracks = [
  buildReleaseTrack({ lyrics }),
  buildReleaseTrack({ id: 2, slug: 'vault', position: 2, title: 'From the Vault', isExclusive: true }),
  buildReleaseTrack({ id: 3, slug: 'unrecorded', position: 3, title: 'Unrecorded', hasAudio: false }),
  buildReleaseTrack({ id: 4, slug: 'closer', position: 4, title: 'Closer' }),
]
const responses = (changes: MockResponses = {}): MockResponses => ({
  'GET /api/config': buildSite(),
  'GET /api/auth/status': null,
  'GET /api/tracks': [buildTrack({ liked: true })],
  'GET /api/releases/a-record': buildRelease({ tracks, trackCount: 4, notes: 'Side A.\n\nSide B.', isExplicit: true }),
  ...changes,
})
const queuedTitles = () => getPlayback().queue.map(({ title }) => title)

test('plays the release without locked and unrecorded tracks', async () => {
  await renderApp('/music/a-record', responses())
  fireEvent.click(await screen.findByRole('button', { name: 'Play Release' }))
  await waitFor(() => expect(queuedTitles()).toEqual(['First Light', 'Closer']))
  expect(getPlayback()).toMatchObject({ index: 0, current: { album: 'A Record', href: '/music/a-record/first-light' } })
  expect(screen.getByRole('link', { name: /From the Vault is for Silver and Gold/ }).getAttribute('href')).toBe(
    '/subscribe?tier=silver',
  )
  expect(screen.queryByRole('button', { name: 'Play Unrecorded' })).toBeNull()
})

test('plays exclusive tracks for a silver member', async () => {
  await renderApp('/music/a-record', responses({ 'GET /api/auth/status': buildSupporter({ tier: 'silver' }) }))
  fireEvent.click(await screen.findByRole('button', { name: 'Play From the Vault' }))
  await waitFor(() => expect(queuedTitles()).toEqual(['First Light', 'From the Vault', 'Closer']))
  expect(getPlayback().current?.title).toBe('From the Vault')
})

test('shows the release day in the artist’s time zone', async () => {
  await renderApp('/music/a-record', responses())
  expect(await screen.findByText('July 1, 2026')).toBeTruthy()
  expect([screen.getByText('Explicit').tagName, screen.getByText('Side B.').tagName]).toEqual(['SPAN', 'P'])
})

test('plays from a line of the lyrics and marks it', async () => {
  await renderApp('/music/a-record/first-light', responses())
  fireEvent.click(await screen.findByRole('button', { name: 'Another line' }))
  await waitFor(() => expect(getPlayback()).toMatchObject({ timeSeconds: 8, current: { id: 1 } }))
  const currentLine = () => document.querySelector('li[aria-current]')
  expect(currentLine()?.textContent).toBe('Another line')
  fireEvent.click(screen.getByRole('button', { name: 'One line' }))
  await waitFor(() => expect(getPlayback().timeSeconds).toBe(2))
  expect(currentLine()?.textContent).toBe('One line')
})

test('marks no line while another track plays', async () => {
  await renderApp('/music/a-record/first-light', responses())
  const button = await screen.findByRole('button', { name: 'One line' })
  act(() => playQueue([{ ...buildTrack({ id: 9 }), durationSeconds: 60, href: null }], 0, 20))
  await waitFor(() => expect(getPlayback().current?.id).toBe(9))
  expect(button.closest('ol')?.querySelector('[aria-current]')).toBeNull()
})

test('shows whether the supporter likes the track', async () => {
  await renderApp('/music/a-record/first-light', responses({ 'GET /api/auth/status': buildSupporter() }))
  const like = await screen.findByRole('button', { name: 'Like First Light', pressed: true })
  expect(like).toBeTruthy()
})

test('copies the link where the device cannot share', async () => {
  const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
  await renderApp('/music/a-record/first-light', responses())
  fireEvent.click(await screen.findByRole('button', { name: 'Share' }))
  await vi.waitFor(() => expect(writeText).toHaveBeenCalledWith(`${location.origin}/music/a-record/first-light`))
})

test.each(['/music/none', '/music/a-record/none'])('shows the 404 card at %s', async (path) => {
  await renderApp(path, responses())
  expect(await screen.findByRole('heading', { name: 'Page Not Found' })).toBeTruthy()
})
