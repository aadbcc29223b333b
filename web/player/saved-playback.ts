import * as z from 'zod/mini'
import { deviceStorage } from '../lib/storage'
import { getPlayback, SAVED_PLAYBACK_KEY, subscribeToPlayback } from './playback-store'
import { restorePlayback } from './player-engine'
import { StoredQueueTrack } from './stored-queue-track'

const SAVE_INTERVAL_SECONDS = 5

const SavedPlayback = z.object({
  queue: z.array(StoredQueueTrack).check(z.minLength(1), z.maxLength(500)),
  index: z.int().check(z.nonnegative()),
  timeSeconds: z.number().check(z.nonnegative()),
  volume: z.number().check(z.minimum(0), z.maximum(1)),
  isMuted: z.boolean(),
  isReported: z.boolean(),
  stopAfter: z.optional(z.nullable(z.enum(['track', 'release']))),
})

/** Restores the queue of the last visit, paused. Discards invalid data. */
export function restoreSavedPlayback(): void {
  const saved = SavedPlayback.safeParse(deviceStorage.readJson(SAVED_PLAYBACK_KEY)).data
  if (saved && saved.index < saved.queue.length) restorePlayback(saved)
  else deviceStorage.write(SAVED_PLAYBACK_KEY, null)
}

/** Saves the playback when it changes, and the position every few seconds. Returns a function that stops saving. */
export function startSavingPlayback(): () => void {
  let lastSavedKey = ''
  const save = () => {
    const { current, queue, index, timeSeconds, volume, isMuted, isReported, stopAfter } = getPlayback()
    if (!current) return
    const saved = { queue, index, timeSeconds, volume, isMuted, isReported, stopAfter }
    deviceStorage.write(SAVED_PLAYBACK_KEY, JSON.stringify(saved))
  }
  const saveChanges = () => {
    const { index, queue, isPlaying, timeSeconds, volume, isMuted, isReported, stopAfter } = getPlayback()
    const intervalIndex = Math.floor(timeSeconds / SAVE_INTERVAL_SECONDS)
    const key = [
      queue.map(({ id }) => id),
      index,
      isPlaying,
      intervalIndex,
      volume,
      isMuted,
      isReported,
      stopAfter,
    ].join()
    if (key === lastSavedKey) return
    lastSavedKey = key
    save()
  }
  const unsubscribe = subscribeToPlayback(saveChanges)
  saveChanges()
  addEventListener('pagehide', save)
  return () => {
    unsubscribe()
    removeEventListener('pagehide', save)
  }
}
