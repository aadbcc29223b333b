export const OFFLINE_TRACKS_KEY = 'offline-tracks.v1'
const APP_STATUS_EVENT = 'app-status'
/** Name in the `Server-Timing` header of a cached page. */
export const CACHED_PAGE = 'saved-copy'
/** The service worker's downloads wait for the page's own. */
const REGISTRATION_DELAY_MS = 3000

/** Loads AppStatus.tsx, if it is not there yet. */
export const showAppStatus = () => dispatchEvent(new Event(APP_STATUS_EVENT))

/** Registers the service worker. Calls `show` when AppStatus.tsx has something to do. */
export function watchDevice(show: () => void): void {
  if (!navigator.onLine || isCachedPage() || hasOfflineTracks()) show()
  for (const event of ['offline', APP_STATUS_EVENT]) addEventListener(event, show)
  if (!import.meta.env.PROD) return
  const watch = async () => {
    const registration = await navigator.serviceWorker.register('/sw.js')
    if (registration.waiting) show()
    registration.addEventListener('updatefound', () => navigator.serviceWorker.controller && show())
  }
  // Without service workers, or with storage blocked, the site works online.
  setTimeout(() => watch().catch(() => {}), REGISTRATION_DELAY_MS)
}

const navigationEntry = () => performance.getEntriesByType('navigation')[0] as PerformanceNavigationTiming | undefined

/** True if the service worker answered for a server that it could not reach. */
export const isCachedPage = (): boolean =>
  navigationEntry()?.serverTiming?.some(({ name }) => name === CACHED_PAGE) ?? false

/** True for a page of the service worker, and for one that the browser may have stored before (back and forward). */
export const isStoredPage = (): boolean => isCachedPage() || navigationEntry()?.type === 'back_forward'

function hasOfflineTracks(): boolean {
  try {
    return OFFLINE_TRACKS_KEY in localStorage
  } catch {
    return false
  }
}
