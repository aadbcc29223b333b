/** Cache of liked tracks' audio files, written by the page and read by the service worker. */
export const LIKED_TRACKS_CACHE = 'liked-tracks'

/** Messages from a page to the service worker. */
export type ServiceWorkerMessage =
  /** `ifOnlyWindow`: does nothing while other tabs are open, because they may run an older version. */
  | { kind: 'activate'; ifOnlyWindow?: boolean }
  /** Answered with the path of the worker's main script. */
  | { kind: 'version' }
  /** Caches the page. */
  | { kind: 'page'; url: string }

const UPDATE_CHECK_INTERVAL_MS = 60 * 60 * 1000
let updateCheckedAt = Date.now()

/** Has the service worker cache the current page. At most once an hour, also checks for a new version. */
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
