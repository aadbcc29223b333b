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

/** What a reload brings back. */
export type SavedPlayback = Pick<
  PlaybackState,
  'queue' | 'index' | 'timeSeconds' | 'volume' | 'isMuted' | 'isReported'
> & { stopAfter?: PlaybackState['stopAfter'] | undefined }

/** The next track is fetched this long before the end of the current one. */
const PRELOAD_LEAD_SECONDS = 20
/** Near the end a timer takes over: `timeupdate` comes only every 250 ms. */
const HANDOVER_WINDOW_SECONDS = 1
/** The time that a buffered element needs from `play()` to its first sound. */
const START_LATENCY_SECONDS = 0.03
/** Later than this, Previous returns to the start of the track. */
const RESTART_AFTER_SECONDS = 3

/** The element that plays, and the one that holds the next track; created with the first track. */
let active: HTMLAudioElement | null = null
let standby: HTMLAudioElement | null = null
/** The track that `standby` has fetched. */
let preloadedIndex: number | null = null
let handover: ReturnType<typeof setTimeout> | undefined
let listening = emptyListening
/** False until the server has started the listen; seconds before that do not count. */
let isListenConfirmed = true

type ReportStream = (track: QueueTrack) => Promise<unknown>
/** The default, used until the player bar registers its own reporter. */
const reportWithoutBar: ReportStream = (track) => call(tracksApi.reportStream, { body: buildStreamReport(track.id) })
let reportStream = reportWithoutBar

/** Replaces the reporter of streams; the returned function restores the default. */
export function setStreamReporter(report: ReportStream): () => void {
  reportStream = report
  return () => {
    if (reportStream === report) reportStream = reportWithoutBar
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
  clearTimeout(handover)
  active?.pause()
}

export function seekTo(seconds: number): void {
  if (!active || !getPlayback().current) return
  const timeSeconds = Math.min(Math.max(seconds, 0), getPlayback().durationSeconds)
  listening = interrupt(listening)
  clearTimeout(handover)
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

/** Stops once, at the end of the current track or of the last one in a row from its release; null plays on. */
export function setStopAfter(stopAfter: PlaybackState['stopAfter']): void {
  clearTimeout(handover)
  updatePlayback({ stopAfter })
}

/** Brings back a saved queue, paused; does nothing once something plays. */
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
  clearTimeout(handover)
  for (const audio of [active, standby]) {
    audio?.pause()
    audio?.remove()
  }
  active = standby = preloadedIndex = null
  updatePlayback(initialPlayback)
}

/** Gives the elements the volume of the state. */
export function applySound(elements = [active, standby]): void {
  const { volume, isMuted } = getPlayback()
  for (const audio of elements) if (audio) Object.assign(audio, { volume, muted: isMuted })
}

const audioUrl = ({ id }: QueueTrack) => `/api/tracks/${id}/audio`

function load(index: number, startAtSeconds: number): void {
  const current = getPlayback().queue[index]
  if (!current) return
  clearTimeout(handover)
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

/** Makes the preloaded element the active one and starts the listen that preloading did not. */
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
    // Pausing before playback starts rejects the promise, which is no error.
    if (audio !== active || isNamed(error, 'AbortError')) return
    updatePlayback({ isPlaying: false, status: isNamed(error, 'NotAllowedError') ? 'ready' : 'failed' })
  })
}

const isNamed = (error: unknown, name: string) => error instanceof DOMException && error.name === name

/** Goes on with the next track while the last moment of this one still sounds. */
function advance(): void {
  clearTimeout(handover)
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
    // Some phones let only the element that was tapped play: it takes the track over.
    if (upcoming !== active || !isNamed(error, 'NotAllowedError')) return
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

/** The stop that the visitor asked for: Play goes on with the next track. */
function stopBeforeNext(): void {
  const { queue, index } = getPlayback()
  updatePlayback({ stopAfter: null })
  if (!queue[index + 1]) {
    finish()
    return
  }
  // Not the preloaded element: with it, the listen would start now.
  preloadedIndex = null
  if (active) active.preload = 'none'
  load(index + 1, 0)
  updatePlayback({ isPlaying: false })
}

/** At the end of a track whose successor is not there yet, or that is the last. */
function finish(): void {
  const { current, queue, index } = getPlayback()
  if (queue[index + 1]) {
    playNext()
    return
  }
  if (!active || !current) return
  active.pause()
  // The next play is a new listen, which starts with a fetch of the beginning.
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
  clearTimeout(handover)
  if (standby && standby.readyState >= standby.HAVE_FUTURE_DATA)
    handover = setTimeout(advance, Math.max(0, remainingSeconds - START_LATENCY_SECONDS) * 1000)
}

const mediaDuration = (audio: HTMLAudioElement | null) =>
  audio && audio.duration > 0 && Number.isFinite(audio.duration) ? audio.duration : null

/** In the document, above what the router replaces, so that music survives a change of page. */
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
