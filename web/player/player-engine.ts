import { tracksApi } from '../../worker/contract/tracks'
import { call } from '../api/call'
import { buildStreamReport, countsAsStream, emptyListening, interrupt, listen } from '../tracks/listening'
import {
  getPlayback,
  initialPlayback,
  type PlaybackState,
  type QueueTrack,
  takeFirstAudio,
  updatePlayback,
} from './playback-store'

/** The state that a reload restores. */
type SavedPlayback = Pick<PlaybackState, 'queue' | 'index' | 'timeSeconds' | 'volume' | 'isMuted' | 'isReported'> & {
  stopAfter?: PlaybackState['stopAfter'] | undefined
}

/** How long before a track's end the next one is preloaded. */
const PRELOAD_LEAD_SECONDS = 20
/** In this time before a track's end, a timer starts the next track, because `timeupdate` fires only every 250 ms. */
const HANDOVER_WINDOW_SECONDS = 1
/** Time from `play()` of a buffered element to its first sound. */
const START_LATENCY_SECONDS = 0.03
/** After this time, Previous returns to the start of the current track. */
const RESTART_AFTER_SECONDS = 3

/** The playing element, and the one with the preloaded next track. Both are created on demand. */
let active: HTMLAudioElement | null = null
let standby: HTMLAudioElement | null = null
/** Queue index of the track that `standby` has preloaded. */
let preloadedIndex: number | null = null
let handoverTimer: ReturnType<typeof setTimeout> | undefined
let listening = emptyListening
/** Whether the server has started the listen of the current track. Seconds before that do not count. */
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
  load(position, startAtSeconds)
  start()
}

export function togglePlayback(): void {
  if (!getPlayback().current) return
  if (getPlayback().isPlaying) {
    pausePlayback()
    return
  }
  if (active && getPlayback().status === 'failed') {
    active.load()
    active.currentTime = getPlayback().timeSeconds
  }
  start()
}

export function pausePlayback(): void {
  clearTimeout(handoverTimer)
  active?.pause()
}

export function seekTo(seconds: number): void {
  if (!active || !getPlayback().current) return
  const timeSeconds = Math.min(Math.max(seconds, 0), getPlayback().durationSeconds)
  listening = interrupt(listening)
  clearTimeout(handoverTimer)
  active.currentTime = timeSeconds
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
  load(index, 0)
  start()
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
  load(index, timeSeconds)
  updatePlayback({ isReported })
}

/** Returns to the state before the first play. */
export function resetPlayback(): void {
  clearTimeout(handoverTimer)
  for (const audio of [active, standby]) {
    audio?.pause()
    audio?.remove()
  }
  active = standby = preloadedIndex = null
  updatePlayback(initialPlayback)
}

/** Applies the state's volume and muting to the elements. */
export function applySound(elements = [active, standby]): void {
  const { volume, isMuted } = getPlayback()
  for (const audio of elements) if (audio) Object.assign(audio, { volume, muted: isMuted })
}

const audioUrl = ({ id }: QueueTrack) => `/api/tracks/${id}/audio`

function load(index: number, startAtSeconds: number): void {
  const current = getPlayback().queue[index]
  if (!current) return
  clearTimeout(handoverTimer)
  active ??= newAudio()
  active.pause()
  isListenConfirmed = true
  if (preloadedIndex === index && standby) swapElements(current)
  else {
    active.src = audioUrl(current)
    active.currentTime = startAtSeconds
  }
  becomeCurrent(index, startAtSeconds)
}

function becomeCurrent(index: number, timeSeconds: number): void {
  const current = getPlayback().queue[index]
  if (!current) return
  preloadedIndex = null
  listening = emptyListening
  updatePlayback({
    current,
    index,
    timeSeconds,
    durationSeconds: mediaDuration(active) ?? current.durationSeconds,
    status: 'ready',
    isReported: false,
    isStreamCounted: false,
  })
}

/** Makes the preloaded element active. Its first byte is requested to start the listen, as preloading starts none. */
function swapElements(track: QueueTrack): void {
  ;[active, standby] = [standby, active]
  isListenConfirmed = false
  void fetch(audioUrl(track), { headers: { range: 'bytes=0-0' }, cache: 'no-store' })
    .then(({ ok }) => {
      if (getPlayback().current?.id === track.id) isListenConfirmed = ok
    })
    .catch((error: unknown) => console.warn('The listen could not be started.', error))
}

function start(): void {
  const audio = active
  if (!audio || !getPlayback().current) return
  updatePlayback({ status: 'loading' })
  audio.play().catch((error: unknown) => {
    // Pausing before playback starts rejects the promise; that is not an error.
    if (audio !== active || isDomException(error, 'AbortError')) return
    updatePlayback({ isPlaying: false, status: isDomException(error, 'NotAllowedError') ? 'ready' : 'failed' })
  })
}

const isDomException = (error: unknown, name: string) => error instanceof DOMException && error.name === name

/** Starts the next track, shortly before the current one has ended. */
function advance(): void {
  clearTimeout(handoverTimer)
  if (stopsAfterCurrent()) {
    stopBeforeNext()
    return
  }
  const index = getPlayback().index + 1
  const next = getPlayback().queue[index]
  if (!next || !standby || preloadedIndex !== index) {
    finish()
    return
  }
  const ended = active
  swapElements(next)
  const upcoming = active
  becomeCurrent(index, 0)
  upcoming?.play().catch((error: unknown) => {
    // Some phones let only the tapped element play, so load the track there.
    if (upcoming !== active || !isDomException(error, 'NotAllowedError')) return
    ;[active, standby] = [ended, upcoming]
    load(index, 0)
    start()
  })
}

const releaseOf = ({ href, album }: QueueTrack) => /^\/music\/[^/]+/.exec(href ?? '')?.[0] ?? album

function stopsAfterCurrent(): boolean {
  const { current, queue, index, stopAfter } = getPlayback()
  const next = queue[index + 1]
  if (!current || stopAfter === null) return false
  return stopAfter === 'track' || !next || releaseOf(next) !== releaseOf(current)
}

/** Stops as the visitor chose, with the next track loaded. */
function stopBeforeNext(): void {
  const { queue, index } = getPlayback()
  updatePlayback({ stopAfter: null })
  if (!queue[index + 1]) {
    finish()
    return
  }
  // Does not use the preloaded element, because swapping the elements starts a listen.
  preloadedIndex = null
  if (active) active.preload = 'none'
  load(index + 1, 0)
  updatePlayback({ isPlaying: false })
}

/** Ends a track without a preloaded successor: plays the next one, or stops at the start of the last. */
function finish(): void {
  const { current, queue, index } = getPlayback()
  if (queue[index + 1]) {
    playNext()
    return
  }
  if (!active || !current) return
  active.pause()
  // Loads the track again, because the next play is a new listen.
  active.src = audioUrl(current)
  active.currentTime = 0
  becomeCurrent(index, 0)
  updatePlayback({ isPlaying: false })
}

function onTimeUpdate(audio: HTMLAudioElement): void {
  const { current, queue, index } = getPlayback()
  if (audio !== active || !current) return
  const timeSeconds = audio.currentTime
  updatePlayback({ timeSeconds })
  if (audio.paused || audio.seeking) return
  const remaining = getPlayback().durationSeconds - timeSeconds
  const next = stopsAfterCurrent() ? undefined : queue[index + 1]
  if (next && remaining <= PRELOAD_LEAD_SECONDS) preload(next, index + 1)
  if (next && remaining <= HANDOVER_WINDOW_SECONDS) scheduleHandover(remaining / audio.playbackRate)
  if (isListenConfirmed) countListen(current, timeSeconds)
}

function countListen(current: QueueTrack, timeSeconds: number): void {
  listening = listen(listening, timeSeconds)
  if (getPlayback().isReported || !countsAsStream(listening, current.durationSeconds)) return
  updatePlayback({ isReported: true })
  reportStream(current)
    .then(() => {
      if (getPlayback().current === current) updatePlayback({ isStreamCounted: true })
    })
    .catch((error: unknown) => console.warn('The stream could not be reported.', error))
}

function preload(track: QueueTrack, index: number): void {
  if (preloadedIndex === index) return
  standby ??= newAudio()
  standby.preload = 'auto'
  standby.src = `${audioUrl(track)}?preload=1`
  preloadedIndex = index
}

function scheduleHandover(remainingSeconds: number): void {
  clearTimeout(handoverTimer)
  if (standby && standby.readyState >= standby.HAVE_FUTURE_DATA)
    handoverTimer = setTimeout(advance, Math.max(0, remainingSeconds - START_LATENCY_SECONDS) * 1000)
}

const mediaDuration = (audio: HTMLAudioElement | null) =>
  audio && audio.duration > 0 && Number.isFinite(audio.duration) ? audio.duration : null

/** Creates an element outside the router's content, so that music continues across pages. */
function newAudio(): HTMLAudioElement {
  const audio = takeFirstAudio()
  audio.preload = 'none'
  audio.dataset.player = ''
  applySound([audio])
  const whileActive = (handle: () => void) => () => {
    if (audio === active) handle()
  }
  const listeners = {
    play: () => {
      for (const other of document.querySelectorAll<HTMLAudioElement>('audio:not([data-player])')) other.pause()
      updatePlayback({ isPlaying: true })
    },
    playing: () => updatePlayback({ status: 'ready' }),
    waiting: () => updatePlayback({ status: 'loading' }),
    pause: () => {
      listening = interrupt(listening)
      updatePlayback({ isPlaying: false, ...(getPlayback().status === 'loading' && { status: 'ready' }) })
    },
    seeking: () => {
      listening = interrupt(listening)
    },
    durationchange: () => {
      const durationSeconds = mediaDuration(audio)
      if (durationSeconds) updatePlayback({ durationSeconds })
    },
    timeupdate: () => onTimeUpdate(audio),
    ended: advance,
    error: () => updatePlayback({ isPlaying: false, status: 'failed' }),
  }
  for (const [event, handle] of Object.entries(listeners)) audio.addEventListener(event, whileActive(handle))
  document.body.append(audio)
  return audio
}
