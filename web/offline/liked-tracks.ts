import { useSyncExternalStore } from 'react'
import * as z from 'zod/mini'
import type { TierId } from '../../worker/contract/site'
import { type Track, tracksApi } from '../../worker/contract/tracks'
import { call } from '../api/call'
import { createListeners } from '../lib/listeners'
import { deviceStorage } from '../lib/storage'
import type { QueueTrack } from '../player/playback-store'
import { StoredQueueTrack } from '../player/stored-queue-track'
import { audioPath, isUnlocked, toQueueTrack } from '../tracks/playable-track'
import { LIKED_TRACKS_CACHE } from './messages'
import { OFFLINE_TRACKS_KEY } from './offline-support'

/** Limit of the total size of the saved audio files. */
export const MAX_OFFLINE_BYTES = 300 * 1000 * 1000

type SavedTrack = QueueTrack & { bytes: number }
export type OfflineTracks = {
  /** Null unless the supporter has enabled offline tracks. */
  userId: number | null
  tracks: readonly SavedTrack[]
  /** Number of liked tracks that did not fit within MAX_OFFLINE_BYTES. */
  skipped: number
  status: 'ready' | 'saving' | 'failed'
}

const StoredTracks = z.object({
  userId: z.int(),
  skipped: z.int(),
  tracks: z.array(z.extend(StoredQueueTrack, { bytes: z.int() })),
})

const NO_OFFLINE_TRACKS: OfflineTracks = { userId: null, tracks: [], skipped: 0, status: 'ready' }
let offlineTracks: OfflineTracks | null = null
const listeners = createListeners()

export function subscribeToOfflineTracks(onChange: () => void): () => void {
  const onStorage = ({ key }: StorageEvent) => {
    if (key !== null && key !== OFFLINE_TRACKS_KEY) return
    // Another tab has saved or cleared tracks.
    offlineTracks = null
    onChange()
  }
  const unsubscribe = listeners.subscribe(onChange)
  addEventListener('storage', onStorage)
  return () => {
    unsubscribe()
    removeEventListener('storage', onStorage)
  }
}

export function getOfflineTracks(): OfflineTracks {
  offlineTracks ??= { ...NO_OFFLINE_TRACKS, ...readStoredTracks() }
  return offlineTracks
}

export const useOfflineTracks = () =>
  useSyncExternalStore(subscribeToOfflineTracks, getOfflineTracks, () => NO_OFFLINE_TRACKS)

const readStoredTracks = () => StoredTracks.safeParse(deviceStorage.readJson(OFFLINE_TRACKS_KEY)).data

function updateOfflineTracks(changes: Partial<OfflineTracks>): void {
  offlineTracks = { ...getOfflineTracks(), ...changes }
  const { userId, tracks, skipped } = offlineTracks
  deviceStorage.write(OFFLINE_TRACKS_KEY, userId === null ? null : JSON.stringify({ userId, tracks, skipped }))
  listeners.notify()
}

export const totalBytes = (tracks: readonly SavedTrack[]) => tracks.reduce((sum, { bytes }) => sum + bytes, 0)

/** Deletes the audio files from this device and stops saving. */
export async function clearOfflineTracks(): Promise<void> {
  currentRun = null
  updateOfflineTracks(NO_OFFLINE_TRACKS)
  await caches.delete(LIKED_TRACKS_CACHE)
}

/** Identifies the save in progress. A newer save or a clear replaces it, which stops the older save. */
let currentRun: object | null = null

/** Ends with the last save. The next one waits for it, because a replaced save deletes the file that it just stored. */
let lastSave: Promise<void> = Promise.resolve()

/**
 * Saves the liked tracks that this tier may play, up to MAX_OFFLINE_BYTES, and deletes the others. Does not reject: a
 * failure sets the status to 'failed'.
 */
export function saveLikedTracks(userId: number, tier: TierId): Promise<void> {
  const run = {}
  currentRun = run
  updateOfflineTracks({ userId, status: 'saving' })
  lastSave = lastSave.then(async () => {
    try {
      // Bypasses the query cache, which may still contain a visitor's tracks.
      if (currentRun === run) await saveTracks(await call(tracksApi.list, {}), { run, userId, tier })
    } catch (error) {
      console.warn('The liked tracks could not be saved.', error)
      if (currentRun === run) updateOfflineTracks({ status: 'failed' })
    }
  })
  return lastSave
}

type SaveRun = { run: object; userId: number; tier: TierId }

async function saveTracks(tracks: readonly Track[], { run, userId, tier }: SaveRun): Promise<void> {
  if (currentRun !== run) return
  const tracksToSave = tracks
    .filter((track) => track.liked && track.hasAudio && isUnlocked(track, tier))
    .map(toQueueTrack)
  const saved = getOfflineTracks().tracks.filter(({ id }) => tracksToSave.some((track) => track.id === id))
  updateOfflineTracks({ userId, tracks: saved, skipped: 0 })
  const cache = await caches.open(LIKED_TRACKS_CACHE)
  for (const { url } of await cache.keys())
    if (!saved.some(({ id }) => audioPath(id) === new URL(url).pathname)) await cache.delete(url)
  for (const track of tracksToSave) {
    if (saved.some(({ id }) => id === track.id)) continue
    const bytes = await saveTrack(cache, track.id, MAX_OFFLINE_BYTES - totalBytes(getOfflineTracks().tracks))
    if (currentRun !== run) {
      await cache.delete(audioPath(track.id))
      return
    }
    if (bytes === null) updateOfflineTracks({ skipped: getOfflineTracks().skipped + 1 })
    else {
      // Another tab may have saved the same track.
      const others = getOfflineTracks().tracks.filter(({ id }) => id !== track.id)
      updateOfflineTracks({ tracks: [...others, { ...track, bytes }] })
    }
  }
  updateOfflineTracks({ status: 'ready' })
}

/**
 * Downloads a track's audio into the cache. Returns its size in bytes or, if that exceeds `maxBytes`, null without
 * storing it. @throws Error if it cannot be fetched or stored
 */
async function saveTrack(cache: Cache, id: number, maxBytes: number): Promise<number | null> {
  // `preload=1` does not count as a listen.
  const response = await fetch(`${audioPath(id)}?preload=1`)
  if (!response.ok) throw new Error(`${response.status} for the audio of track ${id}`)
  if (Number(response.headers.get('content-length')) > maxBytes) {
    await response.body?.cancel()
    return null
  }
  const audio = await response.blob()
  if (audio.size > maxBytes) return null
  await cache.put(audioPath(id), new Response(audio, { headers: { 'content-type': audio.type } }))
  return audio.size
}
