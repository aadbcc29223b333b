import { tracksApi } from '../../worker/contract/tracks'
import { call } from '../api/call'
import { buildStreamReport, countsAsStream, emptyListening, endInterval, recordPosition } from '../tracks/listening'
import { audioPath } from '../tracks/playable-track'
import {
  getPlayback,
  initialPlayback,
  type PlaybackState,
  type QueueTrack,
  takeAudio,
  updatePlayback,
} from './playback-store'
import type { SavedPlayback } from './saved-playback'

/** How long before a track's end the next one is preloaded. */
const PRELOAD_LEAD_SECONDS = 20
/** Within this time of a track's end, a timer starts the next track, because `timeupdate` fires only every 250 ms. */
const HANDOVER_WINDOW_SECONDS = 1
/** Time from `play()` of a buffered element to its first sound. */
const START_LATENCY_SECONDS = 0.03
/** After this time, Previous returns to the start of the current track. */
const RESTART_AFTER_SECONDS = 3

/** The playing element, and the one with the preloaded next track. Both are created on demand. */
let activeAudio: HTMLAudioElement | null = null
let standbyAudio: HTMLAudioElement | null = null
/** Queue index of the track that `standbyAudio` has preloaded. */
let preloadedIndex: number | null = null
let handoverTimer: ReturnType<typeof setTimeout> | undefined
let listening = emptyListening
/** False until the server has started the listen of a preloaded track; its seconds before that do not count. */
let isListenConfirmed = true

type ReportStream = (track: QueueTrack) => Promise<unknown>
/** The default, used until the player bar registers its own reporter. */
const defaultReporter: ReportStream = (track) => call(tracksApi.reportStream, { body: buildStreamReport(track.id) })
let reportStream = defaultReporter

/** Replaces the reporter of streams; the returned function restores the default. */
export function setStreamReporter(report: ReportStream): () => void {
  reportStream = report
  return () => {
    if (reportStream === report) reportStream = defaultReporter
  }
}

export function playQueue(tracks: readonly QueueTrack[], index: number, startAtSeconds: number): void {
  const chosen = tracks[index]
  const queue = tracks.filter(({ hasAudio }) => hasAudio)
  const position = chosen ? queue.indexOf(chosen) : -1
  if (position < 0) return
  preloadedIndex = null
  updatePlayback({ queue })
  loadTrack(position, startAtSeconds)
  startAudio()
}

export function togglePlayback(): void {
  if (!getPlayback().current) return
  if (getPlayback().isPlaying) {
    pausePlayback()
    return
  }
  if (activeAudio && getPlayback().status === 'failed') {
    activeAudio.load()
    activeAudio.currentTime = getPlayback().timeSeconds
  }
  startAudio()
}

export function pausePlayback(): void {
  clearTimeout(handoverTimer)
  activeAudio?.pause()
}

export function seekTo(seconds: number): void {
  if (!activeAudio || !getPlayback().current) return
  const timeSeconds = Math.min(Math.max(seconds, 0), getPlayback().durationSeconds)
  listening = endInterval(listening)
  clearTimeout(handoverTimer)
  activeAudio.currentTime = timeSeconds
  updatePlayback({ timeSeconds })
}

export function playNext(): void {
  playAt(getPlayback().index + 1)
}

export function playPrevious(): void {
  if (getPlayback().timeSeconds > RESTART_AFTER_SECONDS || getPlayback().index === 0) seekTo(0)
  else playAt(getPlayback().index - 1)
}

export function playAt(index: number): void {
  if (!getPlayback().queue[index]) return
  loadTrack(index, 0)
  startAudio()
}

/** Stops playback once: after the current track, or after the last consecutive track of its release. Null cancels. */
export function setStopAfter(stopAfter: PlaybackState['stopAfter']): void {
  clearTimeout(handoverTimer)
  updatePlayback({ stopAfter })
}

/** Restores a saved queue, paused. Does nothing if a track is loaded. */
export function restorePlayback({
  queue,
  index,
  timeSeconds,
  volume,
  isMuted,
  isReported,
  stopAfter = null,
}: SavedPlayback): void {
  if (getPlayback().current) return
  updatePlayback({ queue, volume, isMuted, stopAfter })
  loadTrack(index, timeSeconds)
  updatePlayback({ isReported })
}

/** For tests: returns to the state before the first play. */
export function resetPlayback(): void {
  clearTimeout(handoverTimer)
  for (const audio of [activeAudio, standbyAudio]) {
    audio?.pause()
    audio?.remove()
  }
  activeAudio = standbyAudio = preloadedIndex = null
  updatePlayback(initialPlayback)
}

/** Applies the volume and muting of the playback state to the audio elements. */
export function applySound(elements = [activeAudio, standbyAudio]): void {
  const { volume, isMuted } = getPlayback()
  for (const audio of elements) if (audio) Object.assign(audio, { volume, muted: isMuted })
}

function loadTrack(index: number, startAtSeconds: number): void {
  const current = getPlayback().queue[index]
  if (!current) return
  clearTimeout(handoverTimer)
  activeAudio ??= newAudio()
  activeAudio.pause()
  isListenConfirmed = true
  if (preloadedIndex === index && standbyAudio) swapElements(current)
  else {
    activeAudio.src = audioPath(current.id)
    activeAudio.currentTime = startAtSeconds
  }
  setCurrentTrack(index, startAtSeconds)
}

function setCurrentTrack(index: number, timeSeconds: number): void {
  const current = getPlayback().queue[index]
  if (!current) return
  preloadedIndex = null
  listening = emptyListening
  updatePlayback({
    current,
    index,
    timeSeconds,
    durationSeconds: mediaDuration(activeAudio) ?? current.durationSeconds,
    status: 'ready',
    isReported: false,
    isStreamCounted: false,
  })
}

/** Makes the preloaded element active and requests its first byte: this starts the listen; preloading does not. */
function swapElements(track: QueueTrack): void {
  ;[activeAudio, standbyAudio] = [standbyAudio, activeAudio]
  isListenConfirmed = false
  void fetch(audioPath(track.id), { headers: { range: 'bytes=0-0' }, cache: 'no-store' })
    .then(({ ok }) => {
      if (getPlayback().current?.id === track.id) isListenConfirmed = ok
    })
    .catch((error: unknown) => console.warn('The listen could not be started.', error))
}

function startAudio(): void {
  const audio = activeAudio
  if (!audio || !getPlayback().current) return
  updatePlayback({ status: 'loading' })
  audio.play().catch((error: unknown) => {
    // Pausing before playback starts rejects the promise; that is not an error.
    if (audio !== activeAudio || isDomException(error, 'AbortError')) return
    updatePlayback({ isPlaying: false, status: isDomException(error, 'NotAllowedError') ? 'ready' : 'failed' })
  })
}

const isDomException = (error: unknown, name: string) => error instanceof DOMException && error.name === name

/** Starts the next track or stops. Called when the current track ends, or shortly before. */
function handleTrackEnd(): void {
  clearTimeout(handoverTimer)
  if (stopsAfterCurrent()) {
    stopBeforeNext()
    return
  }
  const index = getPlayback().index + 1
  const next = getPlayback().queue[index]
  if (!next || !standbyAudio || preloadedIndex !== index) {
    finishTrack()
    return
  }
  const ended = activeAudio
  swapElements(next)
  const upcoming = activeAudio
  setCurrentTrack(index, 0)
  upcoming?.play().catch((error: unknown) => {
    // Some phones only play the element that a tap has started, so load the track there.
    if (upcoming !== activeAudio || !isDomException(error, 'NotAllowedError')) return
    ;[activeAudio, standbyAudio] = [ended, upcoming]
    loadTrack(index, 0)
    startAudio()
  })
}

const releaseOf = ({ href, album }: QueueTrack) => /^\/music\/[^/]+/.exec(href ?? '')?.[0] ?? album

function stopsAfterCurrent(): boolean {
  const { current, queue, index, stopAfter } = getPlayback()
  const next = queue[index + 1]
  if (!current || stopAfter === null) return false
  return stopAfter === 'track' || !next || releaseOf(next) !== releaseOf(current)
}

/** Stops playback, as `stopAfter` requires, and loads the next track. */
function stopBeforeNext(): void {
  const { queue, index } = getPlayback()
  updatePlayback({ stopAfter: null })
  if (!queue[index + 1]) {
    finishTrack()
    return
  }
  // Does not use the preloaded element, because swapping the elements starts a listen.
  preloadedIndex = null
  if (activeAudio) activeAudio.preload = 'none'
  loadTrack(index + 1, 0)
  updatePlayback({ isPlaying: false })
}

/** Ends a track without a preloaded successor: plays the next one, or stops at the start of the last. */
function finishTrack(): void {
  const { current, queue, index } = getPlayback()
  if (queue[index + 1]) {
    playNext()
    return
  }
  if (!activeAudio || !current) return
  activeAudio.pause()
  // Loads the track again, because the next play is a new listen.
  activeAudio.src = audioPath(current.id)
  activeAudio.currentTime = 0
  setCurrentTrack(index, 0)
  updatePlayback({ isPlaying: false })
}

function onTimeUpdate(audio: HTMLAudioElement): void {
  const { current, queue, index } = getPlayback()
  if (audio !== activeAudio || !current) return
  const timeSeconds = audio.currentTime
  updatePlayback({ timeSeconds })
  if (audio.paused || audio.seeking) return
  const remaining = getPlayback().durationSeconds - timeSeconds
  const next = stopsAfterCurrent() ? undefined : queue[index + 1]
  if (next && remaining <= PRELOAD_LEAD_SECONDS) preloadTrack(next, index + 1)
  if (next && remaining <= HANDOVER_WINDOW_SECONDS) scheduleHandover(remaining / audio.playbackRate)
  if (isListenConfirmed) recordListening(current, timeSeconds)
}

function recordListening(current: QueueTrack, timeSeconds: number): void {
  listening = recordPosition(listening, timeSeconds)
  if (getPlayback().isReported || !countsAsStream(listening, current.durationSeconds)) return
  updatePlayback({ isReported: true })
  reportStream(current)
    .then(() => {
      if (getPlayback().current === current) updatePlayback({ isStreamCounted: true })
    })
    .catch((error: unknown) => console.warn('The stream could not be reported.', error))
}

function preloadTrack(track: QueueTrack, index: number): void {
  if (preloadedIndex === index) return
  standbyAudio ??= newAudio()
  standbyAudio.preload = 'auto'
  standbyAudio.src = `${audioPath(track.id)}?preload=1`
  preloadedIndex = index
}

function scheduleHandover(remainingSeconds: number): void {
  clearTimeout(handoverTimer)
  if (standbyAudio && standbyAudio.readyState >= standbyAudio.HAVE_FUTURE_DATA)
    handoverTimer = setTimeout(handleTrackEnd, Math.max(0, remainingSeconds - START_LATENCY_SECONDS) * 1000)
}

const mediaDuration = (audio: HTMLAudioElement | null) =>
  audio && audio.duration > 0 && Number.isFinite(audio.duration) ? audio.duration : null

/** Creates an element outside the router's content, so that music continues across pages. */
function newAudio(): HTMLAudioElement {
  const audio = takeAudio()
  audio.preload = 'none'
  audio.dataset.player = ''
  applySound([audio])
  const whileActive = (handle: () => void) => () => {
    if (audio === activeAudio) handle()
  }
  const listeners = {
    play: () => {
      for (const other of document.querySelectorAll<HTMLAudioElement>('audio:not([data-player])')) other.pause()
      updatePlayback({ isPlaying: true })
    },
    playing: () => updatePlayback({ status: 'ready' }),
    waiting: () => updatePlayback({ status: 'loading' }),
    pause: () => {
      listening = endInterval(listening)
      updatePlayback({ isPlaying: false, ...(getPlayback().status === 'loading' && { status: 'ready' }) })
    },
    seeking: () => {
      listening = endInterval(listening)
    },
    durationchange: () => {
      const durationSeconds = mediaDuration(audio)
      if (durationSeconds) updatePlayback({ durationSeconds })
    },
    timeupdate: () => onTimeUpdate(audio),
    ended: handleTrackEnd,
    error: () => updatePlayback({ isPlaying: false, status: 'failed' }),
  }
  for (const [event, handle] of Object.entries(listeners)) audio.addEventListener(event, whileActive(handle))
  document.body.append(audio)
  return audio
}
