import { useSyncExternalStore } from 'react'
import { countsAsStream, emptyListening, interrupt, listen } from '../tracks/listening'

export type QueueTrack = {
  id: number
  title: string
  artist: string
  /** Empty for a single. */
  album: string
  coverUrl: string
  coverAlt: string
  durationSeconds: number
  /** The track's page. */
  href: string | null
  /** Silver or above. */
  isExclusive: boolean
  hasAudio: boolean
}

export type PlaybackState = {
  current: QueueTrack | null
  queue: readonly QueueTrack[]
  index: number
  isPlaying: boolean
  status: 'ready' | 'loading' | 'failed'
  timeSeconds: number
  durationSeconds: number
  /** From 0 to 1. */
  volume: number
  isMuted: boolean
  /** This listen was reported, or is being reported. */
  isReported: boolean
  /** The report of this listen was accepted. */
  isStreamCounted: boolean
}

/** What a reload brings back. */
export type SavedPlayback = Pick<PlaybackState, 'queue' | 'index' | 'timeSeconds' | 'volume' | 'isMuted' | 'isReported'>

const initialState: PlaybackState = {
  current: null,
  queue: [],
  index: 0,
  isPlaying: false,
  status: 'ready',
  timeSeconds: 0,
  durationSeconds: 0,
  volume: 1,
  isMuted: false,
  isReported: false,
  isStreamCounted: false,
}

/** The next track is fetched this long before the end of the current one. */
const PRELOAD_LEAD_SECONDS = 20
/** Near the end a timer takes over: `timeupdate` comes only every 250 ms. */
const HANDOVER_WINDOW_SECONDS = 1
/** The time that a buffered element needs from `play()` to its first sound. */
const START_LATENCY_SECONDS = 0.03
/** Later than this, Previous returns to the start of the track. */
const RESTART_AFTER_SECONDS = 3

export const SAVED_PLAYBACK_KEY = 'playback.v1'

/** True if saved-playback.ts, which is loaded on demand, has something to bring back. */
export function hasSavedPlayback(): boolean {
  try {
    return localStorage.getItem(SAVED_PLAYBACK_KEY) !== null
  } catch {
    return false
  }
}

let state = initialState
const subscribers = new Set<() => void>()

export const getPlayback = (): PlaybackState => state

export function subscribeToPlayback(onChange: () => void): () => void {
  subscribers.add(onChange)
  return () => subscribers.delete(onChange)
}

export function usePlayback(): PlaybackState {
  return useSyncExternalStore(subscribeToPlayback, getPlayback, () => initialState)
}

function update(changes: Partial<PlaybackState>): void {
  state = { ...state, ...changes }
  for (const notify of subscribers) notify()
}

/** The element that plays, and the one that holds the next track; created with the first track. */
let active: HTMLAudioElement | null = null
let standby: HTMLAudioElement | null = null
/** The track that `standby` has fetched. */
let preloadedIndex: number | null = null
let handover: ReturnType<typeof setTimeout> | undefined
let listening = emptyListening
/** False until the server knows of the listen: seconds before that would make the report too early. */
let isListenKnown = true

type ReportListen = (track: QueueTrack) => Promise<unknown>
let reportListen: ReportListen | null = null

/** Registers what reports a listen that counts as a stream. */
export function onListenCounted(report: ReportListen): () => void {
  reportListen = report
  return () => {
    if (reportListen === report) reportListen = null
  }
}

/** Replaces the queue and plays the track at `index`; tracks without a recording are left out. */
export function playQueue(tracks: readonly QueueTrack[], index: number, startAtSeconds = 0): void {
  const chosen = tracks[index]
  const queue = tracks.filter(({ hasAudio }) => hasAudio)
  const position = chosen ? queue.indexOf(chosen) : -1
  if (position < 0) return
  update({ queue })
  load(position, startAtSeconds)
  start()
}

/** Plays or pauses; fetches a recording that failed once more. */
export function togglePlayback(): void {
  if (!state.current) return
  if (state.isPlaying) {
    pausePlayback()
    return
  }
  if (active && state.status === 'failed') {
    active.load()
    active.currentTime = state.timeSeconds
  }
  start()
}

export function pausePlayback(): void {
  clearTimeout(handover)
  active?.pause()
}

export function seekTo(seconds: number): void {
  if (!active || !state.current) return
  const timeSeconds = Math.min(Math.max(seconds, 0), state.durationSeconds)
  listening = interrupt(listening)
  clearTimeout(handover)
  active.currentTime = timeSeconds
  update({ timeSeconds })
}

export function playNext(): void {
  playAt(state.index + 1)
}

/** Returns to the start of the track; at its start, to the track before. */
export function playPrevious(): void {
  if (state.timeSeconds > RESTART_AFTER_SECONDS || state.index === 0) seekTo(0)
  else playAt(state.index - 1)
}

/** Plays the track at `index` of the queue. */
export function playAt(index: number): void {
  if (!state.queue[index]) return
  load(index, 0)
  start()
}

/** `volume` from 0 to 1; ends muting. */
export function setVolume(volume: number): void {
  setSound({ volume: Math.min(Math.max(volume, 0), 1), isMuted: false })
}

export function setMuted(isMuted: boolean): void {
  setSound({ volume: state.volume, isMuted })
}

/** Brings back a saved queue, paused; does nothing once something plays. */
export function restorePlayback({ queue, index, timeSeconds, volume, isMuted, isReported }: SavedPlayback): void {
  if (state.current) return
  update({ queue, volume, isMuted })
  load(index, timeSeconds)
  update({ isReported })
}

/** Returns to the state before the first play. */
export function resetPlayback(): void {
  clearTimeout(handover)
  for (const audio of [active, standby]) {
    audio?.pause()
    audio?.remove()
  }
  active = standby = preloadedIndex = null
  update(initialState)
}

function setSound(sound: Pick<PlaybackState, 'volume' | 'isMuted'>): void {
  update(sound)
  for (const audio of [active, standby]) if (audio) applySound(audio)
}

function applySound(audio: HTMLAudioElement): void {
  audio.volume = state.volume
  audio.muted = state.isMuted
}

const audioUrl = ({ id }: QueueTrack) => `/api/tracks/${id}/audio`

function load(index: number, startAtSeconds: number): void {
  const current = state.queue[index]
  if (!current) return
  clearTimeout(handover)
  active ??= newAudio()
  active.pause()
  isListenKnown = true
  if (preloadedIndex === index && standby) swapElements(current)
  else {
    active.src = audioUrl(current)
    active.currentTime = startAtSeconds
  }
  becomeCurrent(index, startAtSeconds)
}

function becomeCurrent(index: number, timeSeconds: number): void {
  const current = state.queue[index]
  if (!current) return
  preloadedIndex = null
  listening = emptyListening
  update({
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
  isListenKnown = false
  void fetch(audioUrl(track), { headers: { range: 'bytes=0-0' }, cache: 'no-store' })
    .then(({ ok }) => {
      if (state.current?.id === track.id) isListenKnown = ok
    })
    .catch((error: unknown) => console.warn('The listen could not be started.', error))
}

function start(): void {
  const audio = active
  if (!audio || !state.current) return
  update({ status: 'loading' })
  audio.play().catch((error: unknown) => {
    // Pausing before playback starts rejects the promise, which is no error.
    if (audio !== active || isNamed(error, 'AbortError')) return
    update({ isPlaying: false, status: isNamed(error, 'NotAllowedError') ? 'ready' : 'failed' })
  })
}

const isNamed = (error: unknown, name: string) => error instanceof DOMException && error.name === name

/** Goes on with the next track while the last moment of this one still sounds. */
function advance(): void {
  clearTimeout(handover)
  const index = state.index + 1
  const next = state.queue[index]
  if (!next || !standby || preloadedIndex !== index) {
    finish()
    return
  }
  const ended = active
  swapElements(next)
  const upcoming = active
  becomeCurrent(index, 0)
  upcoming?.play().catch((error: unknown) => {
    if (upcoming !== active || !isNamed(error, 'NotAllowedError'))
      return // Some phones let only the element that was tapped play: it takes the track over.
    ;[active, standby] = [ended, upcoming]
    load(index, 0)
    start()
  })
}

/** At the end of a track whose successor is not there yet, or that is the last. */
function finish(): void {
  if (state.queue[state.index + 1]) {
    playNext()
    return
  }
  if (!active || !state.current) return
  active.pause()
  // The next play is a new listen, which starts with a fetch of the beginning.
  active.src = audioUrl(state.current)
  active.currentTime = 0
  becomeCurrent(state.index, 0)
  update({ isPlaying: false })
}

function onTimeUpdate(audio: HTMLAudioElement): void {
  const { current, queue, index } = state
  if (audio !== active || !current) return
  const timeSeconds = audio.currentTime
  update({ timeSeconds })
  if (audio.paused || audio.seeking) return
  const remaining = state.durationSeconds - timeSeconds
  const next = queue[index + 1]
  if (next && remaining <= PRELOAD_LEAD_SECONDS) preload(next, index + 1)
  if (next && remaining <= HANDOVER_WINDOW_SECONDS) scheduleHandover(remaining / audio.playbackRate)
  if (isListenKnown) countListen(current, timeSeconds)
}

function countListen(current: QueueTrack, timeSeconds: number): void {
  listening = listen(listening, timeSeconds)
  if (state.isReported || !reportListen || !countsAsStream(listening, current.durationSeconds)) return
  update({ isReported: true })
  reportListen(current)
    .then(() => {
      if (state.current === current) update({ isStreamCounted: true })
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
  const audio = document.createElement('audio')
  audio.preload = 'none'
  applySound(audio)
  const whileActive = (handle: () => void) => () => {
    if (audio === active) handle()
  }
  const listeners = {
    play: () => update({ isPlaying: true }),
    playing: () => update({ status: 'ready' }),
    waiting: () => update({ status: 'loading' }),
    pause: () => {
      listening = interrupt(listening)
      update({ isPlaying: false, ...(state.status === 'loading' && { status: 'ready' }) })
    },
    seeking: () => {
      listening = interrupt(listening)
    },
    durationchange: () => {
      const durationSeconds = mediaDuration(audio)
      if (durationSeconds) update({ durationSeconds })
    },
    timeupdate: () => onTimeUpdate(audio),
    ended: advance,
    error: () => update({ isPlaying: false, status: 'failed' }),
  }
  for (const [event, handle] of Object.entries(listeners)) audio.addEventListener(event, whileActive(handle))
  document.body.append(audio)
  return audio
}
