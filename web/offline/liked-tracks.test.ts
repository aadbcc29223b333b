import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { mockFetch } from '../testing/render'
import { buildTrack } from '../testing/track.fixture'
import { clearOfflineTracks, getOfflineTracks, saveLikedTracks, subscribeToOfflineTracks } from './liked-tracks'
import { OFFLINE_TRACKS_KEY } from './offline-support'

const MB = 1000 * 1000
const USER_ID = 7
let storedResponses: Map<string, Response>

beforeEach(() => {
  storedResponses = new Map()
  const cache = {
    keys: async () => [...storedResponses.keys()].map((path) => ({ url: `https://fan.example${path}` })),
    put: async (path: string, response: Response) => void storedResponses.set(path, response),
    delete: async (path: string) => storedResponses.delete(path.replace('https://fan.example', '')),
  }
  vi.stubGlobal('caches', { open: async () => cache, delete: async () => storedResponses.clear() })
})
afterEach(clearOfflineTracks)

const audioResponse = (megabytes: number) => () =>
  new Response('sound', { headers: { 'content-type': 'audio/mpeg', 'content-length': String(megabytes * MB) } })
const tracks = [1, 2, 3].map((id) => buildTrack({ id, title: `Track ${id}`, liked: true }))
const mockTracks = (list = tracks, sizesMb: readonly number[] = [1, 1, 1]) =>
  mockFetch({
    'GET /api/tracks': list,
    ...Object.fromEntries(
      sizesMb.map((size, index) => [`GET /api/tracks/${index + 1}/audio?preload=1`, audioResponse(size)]),
    ),
  })
const savedIds = () => getOfflineTracks().tracks.map(({ id }) => id)

test('saves liked tracks of the tier without counting a listen', async () => {
  const { sent } = mockTracks([
    buildTrack({ id: 1, liked: true }),
    buildTrack({ id: 2, liked: false }),
    buildTrack({ id: 3, liked: true, isExclusive: true }),
  ])
  await saveLikedTracks(USER_ID, 'bronze')
  expect(getOfflineTracks()).toMatchObject({ userId: USER_ID, status: 'ready', skipped: 0 })
  expect([savedIds(), [...storedResponses.keys()]]).toEqual([[1], ['/api/tracks/1/audio']])
  expect(sent).toEqual(['GET /api/tracks', 'GET /api/tracks/1/audio?preload=1'])
})

test('skips tracks beyond 300 MB', async () => {
  mockTracks(tracks, [1, 301, 1])
  await saveLikedTracks(USER_ID, 'bronze')
  expect([savedIds(), getOfflineTracks().skipped]).toEqual([[1, 3], 1])
})

test('deletes a track after its like is removed', async () => {
  mockTracks()
  await saveLikedTracks(USER_ID, 'bronze')
  const { sent } = mockTracks(tracks.map((track) => ({ ...track, liked: track.id !== 2 })))
  await saveLikedTracks(USER_ID, 'bronze')
  expect([savedIds(), [...storedResponses.keys()]]).toEqual([
    [1, 3],
    ['/api/tracks/1/audio', '/api/tracks/3/audio'],
  ])
  expect(sent).toEqual(['GET /api/tracks'])
})

test('clearing stops a running save', async () => {
  let sendResponse = () => {}
  const { sent } = mockFetch({
    'GET /api/tracks': tracks.slice(0, 1),
    'GET /api/tracks/1/audio?preload=1': () =>
      new Promise<Response>((resolve) => (sendResponse = () => resolve(audioResponse(1)()))),
  })
  const saving = saveLikedTracks(USER_ID, 'bronze')
  await vi.waitFor(() => expect(sent).toHaveLength(2))
  await clearOfflineTracks()
  sendResponse()
  await saving
  expect([getOfflineTracks().userId, savedIds(), storedResponses.size]).toEqual([null, [], 0])
})

test('a replaced save does not delete the newer save’s file', async () => {
  let requests = 0
  mockFetch({
    'GET /api/tracks': tracks.slice(0, 1),
    'GET /api/tracks/1/audio?preload=1': async () => {
      requests += 1
      if (requests === 1) await new Promise((resolve) => setTimeout(resolve, 50))
      return audioResponse(1)()
    },
  })
  const replacedSave = saveLikedTracks(USER_ID, 'bronze')
  await vi.waitFor(() => expect(requests).toBe(1))
  await Promise.all([replacedSave, saveLikedTracks(USER_ID, 'bronze')])
  expect([savedIds(), [...storedResponses.keys()]]).toEqual([[1], ['/api/tracks/1/audio']])
})

test('lists a track once if two tabs save it', async () => {
  mockTracks(tracks.slice(0, 1))
  await saveLikedTracks(USER_ID, 'bronze')
  const tracksOfOtherTab = localStorage.getItem(OFFLINE_TRACKS_KEY)!
  await clearOfflineTracks()
  mockFetch({
    'GET /api/tracks': tracks.slice(0, 1),
    'GET /api/tracks/1/audio?preload=1': () => {
      localStorage.setItem(OFFLINE_TRACKS_KEY, tracksOfOtherTab)
      dispatchEvent(new StorageEvent('storage', { key: OFFLINE_TRACKS_KEY }))
      return audioResponse(1)()
    },
  })
  const unsubscribe = subscribeToOfflineTracks(() => {})
  await saveLikedTracks(USER_ID, 'bronze')
  unsubscribe()
  expect(savedIds()).toEqual([1])
})

test('reports a track that could not be saved', async () => {
  vi.spyOn(console, 'warn').mockReturnValue()
  mockFetch({ 'GET /api/tracks': tracks })
  await saveLikedTracks(USER_ID, 'bronze')
  expect(getOfflineTracks()).toMatchObject({ status: 'failed', tracks: [] })
})
