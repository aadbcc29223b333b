import { useSyncExternalStore } from 'react'
import { createListeners } from '../lib/listeners'
import { uploadErrorText } from './upload-error'
import { uploadMaster } from './upload-master'

/** A running or failed upload of this browser. It continues while the admin visits other pages. */
export type LocalUpload = {
  /** Null until the server has created the upload. */
  id: string | null
  fileName: string
  /** From 0 to 1. */
  progress: number
  /** Whether a failed request is waiting to be repeated. */
  isWaiting: boolean
  /** Why the upload stopped; null while it runs. */
  error: string | null
}

const uploads = new Map<string, LocalUpload>()
const controllers = new Map<string, AbortController>()
const { subscribe, notify } = createListeners()

/** The running or failed upload of a track's master; else undefined. */
export const useLocalUpload = (trackId: string): LocalUpload | undefined =>
  useSyncExternalStore(subscribe, () => uploads.get(trackId))

function updateUpload(trackId: string, upload: LocalUpload | null): void {
  if (upload) uploads.set(trackId, upload)
  else uploads.delete(trackId)
  notify()
}

/**
 * Stops a running upload of the track, then uploads the parts of `file` that the server does not have.
 * Never rejects: `onEnd` is called after success, failure (see `LocalUpload.error`) or a stop.
 */
export async function startMasterUpload(trackId: string, file: File, onEnd: () => void): Promise<void> {
  stopMasterUpload(trackId)
  const controller = new AbortController()
  controllers.set(trackId, controller)
  addEventListener('beforeunload', warnBeforeUnload)
  const change = (changes: Partial<LocalUpload>) => {
    if (controllers.get(trackId) !== controller) return
    const blank = { id: null, fileName: file.name, progress: 0, isWaiting: false, error: null }
    updateUpload(trackId, { ...blank, ...uploads.get(trackId), ...changes })
  }
  change({})
  try {
    await uploadMaster(trackId, file, {
      signal: controller.signal,
      onStarted: (id) => change({ id }),
      onProgress: (progress) => change({ progress, isWaiting: false }),
      // Stays true between retries, so that screen readers announce the wait only once.
      onWaiting: () => change({ isWaiting: true }),
    })
    if (controllers.get(trackId) === controller) stopMasterUpload(trackId)
  } catch (error) {
    const text = uploadErrorText(error, 'The file could not be read. Choose it again to continue.')
    change({ error: text, isWaiting: false })
    // Aborts the other part that is being sent.
    controller.abort()
    if (controllers.get(trackId) === controller) controllers.delete(trackId)
  }
  if (controllers.size === 0) removeEventListener('beforeunload', warnBeforeUnload)
  onEnd()
}

/** Stops the upload and removes its state or error. Parts that were already sent stay on the server. */
export function stopMasterUpload(trackId: string): void {
  controllers.get(trackId)?.abort()
  controllers.delete(trackId)
  updateUpload(trackId, null)
}

const warnBeforeUnload = (event: BeforeUnloadEvent) => event.preventDefault()
