import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { mockFetch, renderWithProviders } from '../testing/render'
import { buildQueueTrack } from '../testing/track.fixture'
import { PlayerBar } from './PlayerBar'
import { getPlayback, SAVED_PLAYBACK_KEY } from './playback-store'
import { loadPlayer, playQueue, seekTo, setVolume } from './player-commands'
import { resetPlayback, setStopAfter } from './player-engine'

const queue = [
  buildQueueTrack({ href: '/music/first-light/first-light' }),
  buildQueueTrack({ id: 2, title: 'Second Wind' }),
]

beforeEach(() => mockFetch({}))
beforeAll(async () => void (await loadPlayer()))
afterEach(() => {
  cleanup()
  resetPlayback()
  localStorage.clear()
  vi.unstubAllGlobals()
  Reflect.deleteProperty(navigator, 'mediaSession')
})

const press = (name: string) => act(async () => fireEvent.click(screen.getByRole('button', { name })))
const play = () => act(async () => playQueue(queue, 0))
const savedPlayback = () => JSON.parse(localStorage.getItem(SAVED_PLAYBACK_KEY) ?? 'null')

test('appears with the first play', async () => {
  await renderWithProviders(<PlayerBar />, { path: '/checkout' })
  expect(screen.queryByRole('region', { name: 'Player' })).toBeNull()
  await play()
  expect(screen.getByRole('region', { name: 'Player' })).toBeTruthy()
  expect(screen.getByRole('link', { name: 'First Light' }).getAttribute('href')).toBe('/music/first-light/first-light')
})

test.each(['/admin', '/admin/shows/1/door', '/golden-verse-admin'])('pauses and hides on %s', async (path) => {
  await play()
  await renderWithProviders(<PlayerBar />, { path })
  expect(getPlayback().isPlaying).toBe(false)
  expect(screen.queryByRole('region', { name: 'Player' })).toBeNull()
})

test('moves through the queue', async () => {
  await renderWithProviders(<PlayerBar />)
  await play()
  await press('Next')
  expect(screen.getByText('Second Wind')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Next' }).getAttribute('aria-disabled')).toBe('true')
  await press('Previous')
  await press('Queue')
  await press('2 Second Wind Single 2:00')
  expect(getPlayback().index).toBe(1)
})

test('shows the sleep timer until the visitor turns it off', async () => {
  await renderWithProviders(<PlayerBar />)
  await play()
  await press('More')
  const choose = async (name: string) => {
    const option = await screen.findByRole('radio', { name })
    await act(async () => fireEvent.click(option))
  }
  await choose('Stop at the end of the release')
  const status = () => screen.getByRole('status', { hidden: true }).textContent
  expect(status()).toBe('Stops after this release')
  await choose('Stop at the end of this track')
  expect(status()).toBe('Stops after this track')
  await choose('Off Music plays until the queue ends.')
  expect(getPlayback().stopAfter).toBeNull()
  expect(status()).toBe('Somebody')
})

test('shares a link to the track’s current position', async () => {
  await renderWithProviders(<PlayerBar />)
  await play()
  act(() => seekTo(83))
  await press('More')
  fireEvent.click(await screen.findByRole('button', { name: 'Share this track' }))
  fireEvent.click(await screen.findByRole('checkbox', { name: 'Start at' }))
  expect(screen.getByLabelText<HTMLInputElement>('Link').value).toMatch(/\/music\/first-light\/first-light\?t=83$/)
})

test('space toggles playback unless a control has the focus', async () => {
  await renderWithProviders(
    <>
      <PlayerBar />
      <h1 tabIndex={-1}>Shows</h1>
      <input aria-label="Name" />
    </>,
  )
  await play()
  const pressSpace = (target: Element) => act(async () => fireEvent.keyDown(target, { key: ' ' }))
  expect(await pressSpace(screen.getByRole('heading', { name: 'Shows' }))).toBe(false)
  expect(getPlayback().isPlaying).toBe(false)
  expect(await pressSpace(screen.getByLabelText('Name'))).toBe(true)
  expect(getPlayback().isPlaying).toBe(false)
})

/** Stubs the browser's media session: media keys and the lock screen. */
function stubMediaSession() {
  const handlers = new Map<string, MediaSessionActionHandler | null>()
  const session = {
    metadata: null as MediaMetadataInit | null,
    playbackState: 'none',
    position: undefined as MediaPositionState | undefined,
    setActionHandler: (action: string, handler: MediaSessionActionHandler | null) => handlers.set(action, handler),
    setPositionState: (position: MediaPositionState) => Object.assign(session, { position }),
  }
  vi.stubGlobal('MediaMetadata', function MediaMetadata(this: object, init: MediaMetadataInit) {
    Object.assign(this, init)
  })
  Object.defineProperty(navigator, 'mediaSession', { value: session, configurable: true })
  const triggerAction = (action: MediaSessionAction, details = {}) =>
    act(async () => handlers.get(action)?.({ action, ...details }))
  return { session, handlers, triggerAction }
}

test('media keys play, pause, stop, skip and seek', async () => {
  const { handlers, triggerAction } = stubMediaSession()
  await renderWithProviders(<PlayerBar />)
  await play()
  const playbackState = () => {
    const { index, isPlaying, timeSeconds } = getPlayback()
    return [index, isPlaying, timeSeconds]
  }
  await triggerAction('pause')
  expect(playbackState()).toEqual([0, false, 0])
  await triggerAction('play')
  await triggerAction('play')
  expect(playbackState()).toEqual([0, true, 0])
  await triggerAction('stop')
  expect(playbackState()).toEqual([0, false, 0])
  await triggerAction('seekto', { seekTime: 61.5 })
  await triggerAction('seekto')
  expect(playbackState()).toEqual([0, false, 61.5])
  await triggerAction('nexttrack')
  expect(playbackState()).toEqual([1, true, 0])
  expect(handlers.get('nexttrack')).toBeNull()
  await triggerAction('previoustrack')
  await triggerAction('previoustrack')
  expect(playbackState()).toEqual([0, true, 0])
  expect(handlers.get('nexttrack')).not.toBeNull()
})

test('the lock screen shows track, artwork and position', async () => {
  const { session, triggerAction } = stubMediaSession()
  await renderWithProviders(<PlayerBar />)
  await play()
  expect(session).toMatchObject({
    metadata: {
      title: 'First Light',
      artist: 'Somebody',
      album: 'Single',
      artwork: [{ src: `${queue[0]?.coverUrl}@320`, sizes: '320x320' }, { src: queue[0]?.coverUrl }],
    },
    playbackState: 'playing',
    position: { duration: 120, position: 0, playbackRate: 1 },
  })
  act(() => seekTo(47))
  expect(session.position?.position).toBe(47)
  await triggerAction('pause')
  expect(session.playbackState).toBe('paused')
  await triggerAction('nexttrack')
  expect(session).toMatchObject({ metadata: { title: 'Second Wind' }, position: { position: 0 } })
})

test('a reload restores queue, position, volume and sleep timer, paused', async () => {
  const { unmount } = await renderWithProviders(<PlayerBar />)
  await play()
  await act(async () => {
    seekTo(47)
    setVolume(0.4)
    setStopAfter('release')
  })
  unmount()
  resetPlayback()
  await renderWithProviders(<PlayerBar />)
  expect(getPlayback()).toMatchObject({
    queue,
    index: 0,
    timeSeconds: 47,
    volume: 0.4,
    isPlaying: false,
    stopAfter: 'release',
  })
  expect(screen.getByRole('button', { name: 'Play' })).toBeTruthy()
})

test.each([
  ['no JSON', () => '{'],
  ['an index outside the queue', () => JSON.stringify({ ...savedPlayback(), index: 2 })],
  [
    'a link to another site',
    () => JSON.stringify({ ...savedPlayback(), queue: [{ ...queue[0], href: '//evil.example' }] }),
  ],
  [
    'a cover with a script',
    () => JSON.stringify({ ...savedPlayback(), queue: [{ ...queue[0], coverUrl: 'javascript:1' }] }),
  ],
  ['a volume above 1', () => JSON.stringify({ ...savedPlayback(), volume: 2 })],
])('ignores a saved queue with %s', async (_, damagedJson) => {
  const { unmount } = await renderWithProviders(<PlayerBar />)
  await play()
  unmount()
  resetPlayback()
  localStorage.setItem(SAVED_PLAYBACK_KEY, damagedJson())
  await renderWithProviders(<PlayerBar />)
  expect(getPlayback().current).toBeNull()
})
