import { useSyncExternalStore } from 'react'
import { toast } from '../ui/toast'

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

export const initialPlayback: PlaybackState = {
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

export const SAVED_PLAYBACK_KEY = 'playback.v1'

/** True if saved-playback.ts, which is loaded on demand, has something to bring back. */
export function hasSavedPlayback(): boolean {
  try {
    return localStorage.getItem(SAVED_PLAYBACK_KEY) !== null
  } catch {
    return false
  }
}

let state = initialPlayback
const subscribers = new Set<() => void>()

export const getPlayback = (): PlaybackState => state

export function subscribeToPlayback(onChange: () => void): () => void {
  subscribers.add(onChange)
  return () => subscribers.delete(onChange)
}

export function usePlayback(): PlaybackState {
  return useSyncExternalStore(subscribeToPlayback, getPlayback, () => initialPlayback)
}

export function updatePlayback(changes: Partial<PlaybackState>): void {
  state = { ...state, ...changes }
  for (const notify of subscribers) notify()
}

type Engine = typeof import('./player-engine')
let engine: Engine | null = null
let firstAudio: HTMLAudioElement | null = null

/** Loads the engine; call it when a visitor is about to play. */
export async function loadPlayer(): Promise<Engine> {
  engine ??= await import('./player-engine')
  return engine
}

/** The element of the first track, created here because phones let it play only if the tap itself has touched it. */
export function takeFirstAudio(): HTMLAudioElement {
  const audio = firstAudio ?? document.createElement('audio')
  firstAudio = null
  return audio
}

function run(act: (player: Engine) => void): void {
  if (engine) {
    act(engine)
    return
  }
  firstAudio ??= document.createElement('audio')
  firstAudio.load()
  loadPlayer().then(act, () =>
    toast({
      title: 'The player could not be loaded',
      text: 'Check your connection and try again.',
      tone: 'destructive',
    }),
  )
}

/** Replaces the queue and plays the track at `index`; tracks without a recording are left out. */
export const playQueue = (tracks: readonly QueueTrack[], index: number, startAtSeconds = 0): void =>
  run((player) => player.playQueue(tracks, index, startAtSeconds))

/** Plays or pauses; fetches a recording that failed once more. */
export const togglePlayback = (): void => run((player) => player.togglePlayback())
export const pausePlayback = (): void => engine?.pausePlayback()
export const seekTo = (seconds: number): void => run((player) => player.seekTo(seconds))
export const playNext = (): void => run((player) => player.playNext())
/** Returns to the start of the track; at its start, to the track before. */
export const playPrevious = (): void => run((player) => player.playPrevious())
/** Plays the track at `index` of the queue. */
export const playAt = (index: number): void => run((player) => player.playAt(index))
/** `volume` from 0 to 1; ends muting. */
export function setVolume(volume: number): void {
  updatePlayback({ volume: Math.min(Math.max(volume, 0), 1), isMuted: false })
  engine?.applySound()
}

export function setMuted(isMuted: boolean): void {
  updatePlayback({ isMuted })
  engine?.applySound()
}
