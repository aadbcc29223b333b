import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { mockFetch } from '../testing/render'
import { buildQueueTrack } from '../testing/track.fixture'
import { getPlayback } from './playback-store'
import {
  loadPlayer,
  playAt,
  playNext,
  playPrevious,
  playQueue,
  seekTo,
  setVolume,
  togglePlayback,
} from './player-commands'
import { resetPlayback, restorePlayback, setStopAfter, setStreamReporter } from './player-engine'

const queue = [1, 2, 3].map((id) => buildQueueTrack({ id, title: `Track ${id}` }))
const audioPath = (id: number) => `/api/tracks/${id}/audio`

beforeAll(async () => void (await loadPlayer()))
beforeEach(() => mockFetch({}))
afterEach(resetPlayback)

const audioElements = () => [...document.querySelectorAll('audio')]
const playingAudio = () => audioElements().find((audio) => !audio.paused)
const flushTasks = () => new Promise((resolve) => setTimeout(resolve, 0))

/** Moves the playhead of the playing element second by second. */
function playSeconds(from: number, to: number): void {
  const audio = playingAudio()!
  for (let second = from; second <= to; second += 1) {
    audio.currentTime = second
    audio.dispatchEvent(new Event('timeupdate'))
  }
}

/** Ends the playing track. Browsers pause an element before they report its end. */
function endTrack(): void {
  const audio = playingAudio()!
  audio.pause()
  audio.dispatchEvent(new Event('ended'))
}
const currentTrackId = () => getPlayback().current?.id

test('plays the chosen track from the chosen position', async () => {
  playQueue(queue, 1, 42)
  await flushTasks()
  expect(getPlayback()).toMatchObject({ index: 1, isPlaying: true, timeSeconds: 42 })
  expect([playingAudio()?.getAttribute('src'), playingAudio()?.currentTime]).toEqual([audioPath(2), 42])
})

test('leaves tracks without audio out of the queue', () => {
  playQueue([buildQueueTrack({ id: 9, hasAudio: false }), ...queue], 2)
  expect(getPlayback()).toMatchObject({ index: 1, queue })
  playQueue([buildQueueTrack({ id: 9, hasAudio: false })], 0)
  expect(currentTrackId()).toBe(2)
})

test('pauses other audio of the page when music plays', async () => {
  const verse = document.body.appendChild(document.createElement('audio'))
  void verse.play()
  playQueue(queue, 0)
  await flushTasks()
  expect([verse.paused, getPlayback().isPlaying]).toEqual([true, true])
  verse.remove()
})

test('pauses and resumes', async () => {
  playQueue(queue, 0)
  await flushTasks()
  togglePlayback()
  await flushTasks()
  expect(getPlayback().isPlaying).toBe(false)
  togglePlayback()
  await flushTasks()
  expect(getPlayback().isPlaying).toBe(true)
})

test('goes to the next and the previous track', () => {
  playQueue(queue, 0)
  playNext()
  expect(currentTrackId()).toBe(2)
  playPrevious()
  expect(currentTrackId()).toBe(1)
  playAt(2)
  playNext()
  expect(currentTrackId()).toBe(3)
})

test('Previous restarts a track that has played for a while', () => {
  playQueue(queue, 1)
  seekTo(30)
  playPrevious()
  expect(getPlayback()).toMatchObject({ index: 1, timeSeconds: 0 })
})

test('limits a seek to the track’s length', () => {
  playQueue(queue, 0)
  seekTo(500)
  expect(getPlayback().timeSeconds).toBe(120)
  seekTo(-4)
  expect(getPlayback().timeSeconds).toBe(0)
})

test('preloads the next track near the end, without a listen', () => {
  playQueue(queue, 0)
  playSeconds(90, 99)
  expect(audioElements()).toHaveLength(1)
  playSeconds(100, 100)
  expect(audioElements().map((audio) => audio.getAttribute('src'))).toEqual([audioPath(1), `${audioPath(2)}?preload=1`])
})

test('a new queue ignores the track preloaded for the old', () => {
  playQueue(queue, 0)
  playSeconds(100, 101)
  playQueue([queue[0]!, queue[2]!], 1)
  expect(playingAudio()?.getAttribute('src')).toBe(audioPath(3))
})

test('starts the preloaded track’s listen when the track changes', async () => {
  const { sent } = mockFetch({})
  playQueue(queue, 0)
  playSeconds(100, 101)
  endTrack()
  await flushTasks()
  expect(currentTrackId()).toBe(2)
  expect(getPlayback().isPlaying).toBe(true)
  expect(sent).toEqual([`GET ${audioPath(2)}`])
})

test('pauses at the last track’s start when the queue ends', async () => {
  playQueue(queue, 2)
  await flushTasks()
  playSeconds(118, 120)
  endTrack()
  expect(getPlayback()).toMatchObject({ index: 2, isPlaying: false, timeSeconds: 0 })
})

test('reports each stream once', async () => {
  const report = vi.fn(async () => {})
  setStreamReporter(report)
  playQueue(queue, 2)
  playSeconds(0, 60)
  await flushTasks()
  expect(report.mock.calls).toEqual([[queue[2]]])
  expect(getPlayback().isStreamCounted).toBe(true)
  seekTo(0)
  playSeconds(0, 60)
  expect(report).toHaveBeenCalledOnce()
  endTrack()
  togglePlayback()
  expect(getPlayback().isStreamCounted).toBe(false)
  playSeconds(0, 40)
  expect(report).toHaveBeenCalledTimes(2)
})

test('reports a stream when the player bar failed to load', async () => {
  // Removes the player bar's reporter at once, which restores the default one.
  setStreamReporter(vi.fn())()
  const { sent } = mockFetch({ 'POST /api/tracks/stream': { pointsAwarded: 0 } })
  playQueue(queue, 2)
  playSeconds(0, 60)
  await flushTasks()
  expect(sent).toEqual([expect.stringMatching(/^POST \/api\/tracks\/stream {"trackId":"3"/)])
})

test('counts a preloaded track from its listen’s start', async () => {
  let respond = () => {}
  mockFetch({
    [`GET ${audioPath(2)}`]: () => new Promise<Response>((done) => (respond = () => done(new Response('')))),
  })
  const report = vi.fn(async () => {})
  setStreamReporter(report)
  playQueue(queue.slice(0, 2), 0)
  playSeconds(100, 101)
  endTrack()
  await flushTasks()
  playSeconds(0, 20)
  // The listen starts with the response, 20 seconds into the track.
  respond()
  await flushTasks()
  playSeconds(20, 49)
  expect(report).not.toHaveBeenCalled()
  playSeconds(50, 50)
  expect(report).toHaveBeenCalledOnce()
})

test('reloads a failed track at its position', () => {
  playQueue(queue, 0)
  seekTo(20)
  const [audio] = audioElements()
  const load = vi.spyOn(audio!, 'load').mockImplementation(() => {})
  audio!.dispatchEvent(new Event('error'))
  expect(getPlayback()).toMatchObject({ status: 'failed', isPlaying: false })
  togglePlayback()
  expect(load).toHaveBeenCalledOnce()
  expect([getPlayback().status, audio!.currentTime]).toEqual(['loading', 20])
})

test('a restored queue is paused and reports no second stream', () => {
  const report = vi.fn(async () => {})
  setStreamReporter(report)
  restorePlayback({ queue, index: 1, timeSeconds: 31, volume: 0.5, isMuted: false, isReported: true })
  expect(getPlayback()).toMatchObject({ index: 1, isPlaying: false, timeSeconds: 31 })
  expect(audioElements()[0]).toMatchObject({ paused: true, volume: 0.5, currentTime: 31 })
  togglePlayback()
  playSeconds(31, 90)
  expect(report).not.toHaveBeenCalled()
})

test('a restored queue does not replace a playing one', () => {
  playQueue(queue, 0)
  restorePlayback({ queue, index: 1, timeSeconds: 0, volume: 1, isMuted: false, isReported: false })
  expect(currentTrackId()).toBe(1)
})

test('the volume applies to the preloaded track too', () => {
  playQueue(queue, 0)
  playSeconds(100, 101)
  setVolume(0.35)
  expect(audioElements().map(({ volume }) => volume)).toEqual([0.35, 0.35])
})

test('the sleep timer stops after the track without another listen', async () => {
  const { sent } = mockFetch({})
  playQueue(queue, 0)
  playSeconds(100, 101)
  setStopAfter('track')
  endTrack()
  await flushTasks()
  expect(getPlayback()).toMatchObject({ index: 1, isPlaying: false, timeSeconds: 0, stopAfter: null })
  expect(sent).toEqual([])
  togglePlayback()
  endTrack()
  await flushTasks()
  expect(getPlayback()).toMatchObject({ index: 2, isPlaying: true })
})

test('the sleep timer stops after the release’s last track', async () => {
  const onRelease = (id: number, slug: string) => buildQueueTrack({ id, href: `/music/${slug}/track-${id}` })
  playQueue([onRelease(1, 'one'), onRelease(2, 'one'), onRelease(3, 'two')], 0)
  setStopAfter('release')
  playSeconds(100, 101)
  endTrack()
  await flushTasks()
  expect(getPlayback()).toMatchObject({ index: 1, isPlaying: true, stopAfter: 'release' })
  playSeconds(100, 101)
  endTrack()
  await flushTasks()
  expect(getPlayback()).toMatchObject({ index: 2, isPlaying: false, stopAfter: null })
})

test('the sleep timer turns off when the queue ends', async () => {
  playQueue(queue, 2)
  await flushTasks()
  setStopAfter('track')
  endTrack()
  expect(getPlayback()).toMatchObject({ index: 2, isPlaying: false, timeSeconds: 0, stopAfter: null })
})
