/** Cache of liked tracks' audio files, written by the page and read by the service worker. */
export const LIKED_TRACKS_CACHE = 'liked-tracks'

/**
 * Messages from a page to the service worker; the response to `version` is the path of its main script. `ifOnlyWindow`:
 * not while other tabs are open, which may run an older version.
 */
export type ServiceWorkerMessage =
  | { kind: 'activate'; ifOnlyWindow?: boolean }
  | { kind: 'version' }
  | { kind: 'page'; url: string }

const UPDATE_CHECK_INTERVAL_MS = 60 * 60 * 1000
let updateCheckedAt = Date.now()

/** Caches a page that client navigation opened, and looks for a new version, at most once an hour. */
export function reportPageVisit(): void {
  const message: ServiceWorkerMessage = { kind: 'page', url: location.href }
  navigator.serviceWorker?.controller?.postMessage(message)
  if (Date.now() - updateCheckedAt < UPDATE_CHECK_INTERVAL_MS) return
  updateCheckedAt = Date.now()
  void navigator.serviceWorker?.getRegistration().then(
    (registration) => registration?.update(),
    () => undefined,
  )
}
