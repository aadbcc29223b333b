import * as z from 'zod/mini'
import { getPlayback, SAVED_PLAYBACK_KEY, subscribeToPlayback } from './playback-store'
import { restorePlayback } from './player-engine'

const SAVE_EVERY_SECONDS = 5

const seconds = z.number().check(z.nonnegative())
/** A path of this site, never another origin or a script. */
const path = z.string().check(z.regex(/^\/(?![/\\])/))
const Saved = z.object({
  queue: z
    .array(
      z.object({
        id: z.int().check(z.positive()),
        title: z.string(),
        artist: z.string(),
        album: z.string(),
        coverUrl: path,
        coverAlt: z.string(),
        durationSeconds: seconds,
        href: z.nullable(path),
        isExclusive: z.boolean(),
        hasAudio: z.literal(true),
      }),
    )
    .check(z.minLength(1), z.maxLength(500)),
  index: z.int().check(z.nonnegative()),
  timeSeconds: seconds,
  volume: z.number().check(z.minimum(0), z.maximum(1)),
  isMuted: z.boolean(),
  isReported: z.boolean(),
  stopAfter: z.optional(z.nullable(z.enum(['track', 'release']))),
})

/** Restores the queue of the last visit, paused. Discards invalid data. */
export function restoreSavedPlayback(): void {
  try {
    const saved = Saved.safeParse(JSON.parse(localStorage.getItem(SAVED_PLAYBACK_KEY) ?? 'null')).data
    if (saved && saved.index < saved.queue.length) restorePlayback(saved)
    else localStorage.removeItem(SAVED_PLAYBACK_KEY)
  } catch {
    // Invalid JSON, or storage is blocked.
  }
}

/** Saves the queue and position whenever they change, the position every few seconds. */
export function savePlayback(): () => void {
  let lastSaved = ''
  const save = () => {
    const { current, queue, index, timeSeconds, volume, isMuted, isReported, stopAfter } = getPlayback()
    if (!current) return
    try {
      const saved = { queue, index, timeSeconds, volume, isMuted, isReported, stopAfter }
      localStorage.setItem(SAVED_PLAYBACK_KEY, JSON.stringify(saved))
    } catch {
      // Storage is full or blocked: playback works without it.
    }
  }
  const saveChanges = () => {
    const { index, queue, isPlaying, timeSeconds, volume, isMuted, isReported, stopAfter } = getPlayback()
    const step = Math.floor(timeSeconds / SAVE_EVERY_SECONDS)
    const key = [queue.map(({ id }) => id), index, isPlaying, step, volume, isMuted, isReported, stopAfter].join()
    if (key === lastSaved) return
    lastSaved = key
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
