import { useSyncExternalStore } from 'react'
import { createListeners } from '../lib/listeners'
import { deviceStorage } from '../lib/storage'

export type QueueTrack = {
  id: number
  title: string
  artist: string
  /** Title of the release; empty for a single. */
  album: string
  coverUrl: string
  coverAlt: string
  durationSeconds: number
  /** Path of the track's page. */
  href: string | null
  /** Only for the silver and gold tiers. */
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
  /** Where playback stops next; null plays to the end of the queue. */
  stopAfter: 'track' | 'release' | null
  /** Whether this listen was or is being reported as a stream. */
  isReported: boolean
  /** Whether the server has counted this listen as a stream. */
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

/** Whether a queue is saved, which saved-playback.ts can restore. */
export const hasSavedPlayback = () => deviceStorage.read(SAVED_PLAYBACK_KEY) !== null

let state = initialPlayback
const { subscribe: subscribeToPlayback, notify } = createListeners()

export { subscribeToPlayback }

export const getPlayback = (): PlaybackState => state

export function usePlayback(): PlaybackState {
  return useSyncExternalStore(subscribeToPlayback, getPlayback, () => initialPlayback)
}

export function updatePlayback(changes: Partial<PlaybackState>): void {
  state = { ...state, ...changes }
  notify()
}

let firstAudio: HTMLAudioElement | null = null

/** Creates the first audio element. Call it during a tap: phones play only elements that a tap has loaded. */
export function prepareFirstAudio(): void {
  firstAudio ??= document.createElement('audio')
  firstAudio.load()
}

/** Returns the prepared element on the first call, then new ones. */
export function takeAudio(): HTMLAudioElement {
  const audio = firstAudio ?? document.createElement('audio')
  firstAudio = null
  return audio
}
