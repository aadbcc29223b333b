import * as z from 'zod/mini'
import { deviceStorage } from '../lib/storage'
import { getPlayback, type PlaybackState, SAVED_PLAYBACK_KEY, subscribeToPlayback } from './playback-store'
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

export type SavedPlayback = Omit<z.infer<typeof SavedPlayback>, 'queue'> & Pick<PlaybackState, 'queue'>

const toSaved = ({ queue, index, timeSeconds, volume, isMuted, isReported, stopAfter }: PlaybackState) => ({
  queue,
  index,
  timeSeconds,
  volume,
  isMuted,
  isReported,
  stopAfter,
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
    if (getPlayback().current) deviceStorage.write(SAVED_PLAYBACK_KEY, JSON.stringify(toSaved(getPlayback())))
  }
  const saveChanges = () => {
    const { queue, timeSeconds, ...others } = toSaved(getPlayback())
    const intervalIndex = Math.floor(timeSeconds / SAVE_INTERVAL_SECONDS)
    const queueIds = queue.map(({ id }) => id)
    const key = [queueIds, intervalIndex, getPlayback().isPlaying, ...Object.values(others)].join()
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
