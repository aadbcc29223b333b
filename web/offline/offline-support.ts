import { deviceStorage } from '../lib/storage'

export const OFFLINE_TRACKS_KEY = 'offline-tracks.v1'
const APP_STATUS_EVENT = 'app-status'
/** Name in the `Server-Timing` header of a cached page. */
export const CACHED_PAGE = 'saved-copy'
/** Gives the page time to load before the service worker starts its downloads. */
const REGISTRATION_DELAY_MS = 3000

/** Loads and shows AppStatus.tsx, if it is not shown yet. */
export const showAppStatus = () => dispatchEvent(new Event(APP_STATUS_EVENT))

/** Registers the service worker. Calls `show` when AppStatus.tsx is needed. */
export function startOfflineSupport(show: () => void): void {
  if (!navigator.onLine || isCachedPage() || hasOfflineTracks()) show()
  for (const event of ['offline', APP_STATUS_EVENT]) addEventListener(event, show)
  if (!import.meta.env.PROD) return
  const registerServiceWorker = async () => {
    const registration = await navigator.serviceWorker.register('/sw.js')
    if (registration.waiting) show()
    registration.addEventListener('updatefound', () => navigator.serviceWorker.controller && show())
  }
  // Without service workers, or if storage is blocked, the site works online only.
  setTimeout(() => registerServiceWorker().catch(() => {}), REGISTRATION_DELAY_MS)
}

const navigationEntry = () => performance.getEntriesByType('navigation')[0] as PerformanceNavigationTiming | undefined

/** Whether the page is from the service worker's cache, because the server could not be reached. */
export const isCachedPage = (): boolean =>
  navigationEntry()?.serverTiming?.some(({ name }) => name === CACHED_PAGE) ?? false

/** Whether the page may be an old copy: from the service worker's cache or, after back or forward, the browser's. */
export const isStoredPage = (): boolean => isCachedPage() || navigationEntry()?.type === 'back_forward'

const hasOfflineTracks = () => deviceStorage.read(OFFLINE_TRACKS_KEY) !== null
