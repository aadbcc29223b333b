import { useSyncExternalStore } from 'react'

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
  /** Where playback stops by itself once. */
  stopAfter: 'track' | 'release' | null
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
  stopAfter: null,
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

let firstAudio: HTMLAudioElement | null = null

/** Creates the element of the first track during the tap: phones let it play only if the tap itself has touched it. */
export function prepareFirstAudio(): void {
  firstAudio ??= document.createElement('audio')
  firstAudio.load()
}

export function takeFirstAudio(): HTMLAudioElement {
  const audio = firstAudio ?? document.createElement('audio')
  firstAudio = null
  return audio
}
