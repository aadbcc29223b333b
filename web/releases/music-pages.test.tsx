import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { getPlayback } from '../player/playback-store'
import { playQueue } from '../player/player-commands'
import { resetPlayback } from '../player/player-engine'
import { buildRelease, buildReleaseTrack } from '../testing/release.fixture'
import { changeField, errorResponse, type MockResponses, renderApp } from '../testing/render'
import { buildSite } from '../testing/site.fixture'
import { buildSupporter } from '../testing/supporter.fixture'
import { buildTrack } from '../testing/track.fixture'

beforeEach(() => {
  localStorage.clear()
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
  'GET /api/announced-releases': [],
  ...changes,
})
const queuedTitles = () => getPlayback().queue.map(({ title }) => title)

test('playing a release skips locked tracks and tracks without audio', async () => {
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

test('plays from a line of the lyrics and highlights it', async () => {
  await renderApp('/music/a-record/first-light', responses())
  fireEvent.click(await screen.findByRole('button', { name: 'Another line' }))
  await waitFor(() => expect(getPlayback()).toMatchObject({ timeSeconds: 8, current: { id: 1 } }))
  const currentLine = () => document.querySelector('li[aria-current]')
  expect(currentLine()?.textContent).toBe('Another line')
  fireEvent.click(screen.getByRole('button', { name: 'One line' }))
  await waitFor(() => expect(getPlayback().timeSeconds).toBe(2))
  expect(currentLine()?.textContent).toBe('One line')
})

test('highlights no line while another track plays', async () => {
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

test('plays from the start time in the URL', async () => {
  await renderApp('/music/a-record/first-light?t=83', responses())
  fireEvent.click(await screen.findByRole('button', { name: 'Play from 1:23 First Light' }))
  await waitFor(() => expect(getPlayback()).toMatchObject({ current: { id: 1 }, timeSeconds: 83 }))
})

test.each(['-1', '120', '1:23', '', 'x'])('ignores the start time %j', async (startTime) => {
  await renderApp(`/music/a-record/first-light?t=${startTime}`, responses())
  fireEvent.click(await screen.findByRole('button', { name: 'Play First Light' }))
  await waitFor(() => expect(getPlayback()).toMatchObject({ current: { id: 1 }, timeSeconds: 0 }))
})

const embedCode = '<iframe src="https://fan.example/embed/a-record/first-light"></iframe>'
const oembed = {
  type: 'rich',
  version: '1.0',
  title: 'First Light',
  author_name: 'Somebody',
  author_url: 'https://fan.example/',
  provider_name: 'Somebody',
  provider_url: 'https://fan.example/',
  html: embedCode,
  width: 480,
  height: 144,
}
const openShareSheet = async () => {
  const oembedUrl = `/api/oembed?url=${encodeURIComponent(`${location.origin}/music/a-record/first-light`)}`
  await renderApp('/music/a-record/first-light', responses({ [`GET ${oembedUrl}`]: oembed }))
  fireEvent.click(await screen.findByRole('button', { name: 'Share' }))
  return screen.findByRole('dialog', { name: 'Share First Light' })
}

test('shares a link with start time and embed code', async () => {
  const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
  await openShareSheet()
  const copyLink = () => fireEvent.click(screen.getByRole('button', { name: 'Copy link' }))
  const pageUrl = `${location.origin}/music/a-record/first-light`
  copyLink()
  changeField('Start time', '1:23')
  copyLink()
  fireEvent.click(screen.getByRole('checkbox', { name: 'Start at' }))
  copyLink()
  await screen.findByDisplayValue(embedCode)
  fireEvent.click(screen.getByRole('button', { name: 'Copy embed code' }))
  expect(writeText.mock.calls).toEqual([[pageUrl], [`${pageUrl}?t=83`], [pageUrl], [embedCode]])
})

test.each(['2:00', '1:99', 'soon', ''])('copies no link with the start time %j', async (startTime) => {
  const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
  await openShareSheet()
  changeField('Start time', startTime)
  fireEvent.click(screen.getByRole('button', { name: 'Copy link' }))
  expect(writeText).not.toHaveBeenCalled()
  expect(screen.getByText('Enter a time like 1:23, up to 1:59.')).toBeTruthy()
})

const announcedRelease = {
  slug: 'a-record',
  title: 'A Record',
  artist: 'Somebody',
  kind: 'album',
  coverUrl: '/media/a/cover.webp',
  coverAlt: 'A sleeve.',
  releasedAt: '2026-07-02T03:30:00.000Z',
}
const RELEASED_AT = Date.parse(announcedRelease.releasedAt)

test('the release replaces its countdown at the release time', async () => {
  vi.useFakeTimers({ now: RELEASED_AT - 26 * 60 * 60 * 1000, shouldAdvanceTime: true })
  let isOut = false
  await renderApp(
    '/music/a-record',
    responses({
      'GET /api/releases/a-record': () =>
        isOut
          ? Response.json(buildRelease({ tracks }))
          : errorResponse(404, 'not_found', 'That release does not exist.'),
      'GET /api/announced-releases': [announcedRelease],
    }),
  )
  expect(await screen.findByText('Coming soon')).toBeTruthy()
  expect(screen.getByText('July 1, 2026 at 11:30 PM EDT')).toBeTruthy()
  const countdownParts = () => [...document.querySelectorAll('.countdown p')].map((part) => part.textContent)
  expect(countdownParts().slice(0, 2)).toEqual(['01Days', expect.stringMatching(/^0[12]Hours$/)])
  expect(screen.queryByRole('list', { name: 'Tracks' })).toBeNull()
  // The server's clock is behind the browser's.
  await act(() => vi.advanceTimersByTimeAsync(26 * 60 * 60 * 1000))
  expect(countdownParts()).toEqual(['00Days', '00Hours', '00Min', '00Sec'])
  isOut = true
  await act(() => vi.advanceTimersByTimeAsync(2500))
  expect(await screen.findByRole('list', { name: 'Tracks' })).toBeTruthy()
  vi.useRealTimers()
})

test('shows a release that comes out between two requests', async () => {
  let requests = 0
  await renderApp(
    '/music/a-record',
    responses({
      'GET /api/releases/a-record': () => {
        requests += 1
        return requests === 1
          ? errorResponse(404, 'not_found', 'That release does not exist.')
          : Response.json(buildRelease({ tracks }))
      },
    }),
  )
  expect(await screen.findByRole('list', { name: 'Tracks' })).toBeTruthy()
})

test('tracks of an announced release have no page', async () => {
  await renderApp('/music/a-record/first-light', {
    ...responses(),
    'GET /api/releases/a-record': () => errorResponse(404, 'not_found', 'That release does not exist.'),
    'GET /api/announced-releases': [announcedRelease],
  })
  expect(await screen.findByRole('heading', { name: 'Page Not Found' })).toBeTruthy()
})

test.each(['/music/none', '/music/a-record/none'])('shows the 404 card at %s', async (path) => {
  await renderApp(path, responses())
  expect(await screen.findByRole('heading', { name: 'Page Not Found' })).toBeTruthy()
})
