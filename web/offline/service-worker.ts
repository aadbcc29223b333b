/// <reference lib="webworker" />
import { ExpirationPlugin } from 'workbox-expiration'
import { cleanupOutdatedCaches, precacheAndRoute } from 'workbox-precaching'
import { createPartialResponse } from 'workbox-range-requests'
import { registerRoute } from 'workbox-routing'
import { CacheFirst, NetworkFirst } from 'workbox-strategies'
import { keyedByPath, PUBLIC_API, publicOnly } from './cached-responses'
import { LIKED_TRACKS_CACHE, type ServiceWorkerMessage } from './messages'
import { CACHED_PAGE } from './offline-support'

declare const self: ServiceWorkerGlobalScope
/** Replaced by the build: files of the app and the offline page. */
declare const PRECACHED_FILES: { url: string; revision: string | null }[]
/** Replaced by the build: path of the main script, which identifies the version. */
declare const MAIN_SCRIPT: string

const OFFLINE_PAGE = '/offline'
const MAX_PAGES = 30
const MAX_IMAGES = 80
const MAX_API_RESPONSES = 60
const MAX_OTHER_ASSETS = 80
const CONFIG_PATH = '/api/config'
const AUDIO_PATH = /^\/api\/tracks\/\d+\/audio$/

/** Adds a `Server-Timing` header to a cached page, which the page's script can read. */
const markCachedPage = {
  cachedResponseWillBeUsed: async ({ cachedResponse }: { cachedResponse?: Response }) => {
    if (!cachedResponse) return undefined
    const headers = new Headers(cachedResponse.headers)
    headers.set('server-timing', CACHED_PAGE)
    return new Response(cachedResponse.body, { status: cachedResponse.status, headers })
  },
}

const maxEntriesPlugin = (maxEntries: number) => new ExpirationPlugin({ maxEntries, purgeOnQuotaError: true })

const pageStrategy = new NetworkFirst({
  cacheName: 'pages',
  plugins: [publicOnly(/^text\/html/), keyedByPath, markCachedPage, maxEntriesPlugin(MAX_PAGES)],
})
const publicDataStrategy = new NetworkFirst({
  cacheName: 'public-data',
  plugins: [publicOnly(/^application\/json/), maxEntriesPlugin(MAX_API_RESPONSES)],
})
const imageStrategy = new NetworkFirst({
  cacheName: 'images',
  plugins: [publicOnly(/^image\//), maxEntriesPlugin(MAX_IMAGES)],
})

precacheAndRoute(PRECACHED_FILES, { ignoreURLParametersMatching: [/^from$/] })
cleanupOutdatedCaches()

registerRoute(
  ({ request, url }) => request.mode === 'navigate' && !url.pathname.startsWith('/api/'),
  async ({ request, event, url }) => {
    try {
      return await pageStrategy.handle({ request, event })
    } catch {
      return Response.redirect(`${OFFLINE_PAGE}?from=${encodeURIComponent(url.pathname + url.search)}`)
    }
  },
)
registerRoute(({ url, sameOrigin }) => sameOrigin && PUBLIC_API.test(url.pathname), publicDataStrategy)
registerRoute(({ url, sameOrigin }) => sameOrigin && url.pathname.startsWith('/media/'), imageStrategy)
// Files of other builds, because an open page can be older or newer than this service worker.
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.pathname.startsWith('/assets/'),
  new CacheFirst({ cacheName: 'other-versions', plugins: [maxEntriesPlugin(MAX_OTHER_ASSETS)] }),
)
// Network first, because the server checks the tier and starts the listen.
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && AUDIO_PATH.test(url.pathname),
  async ({ request, url }) => {
    try {
      return await fetch(request)
    } catch (error) {
      const saved = await caches.match(url.pathname, { cacheName: LIKED_TRACKS_CACHE })
      if (!saved) throw error
      return request.headers.has('range') ? createPartialResponse(request, saved) : saved
    }
  },
)

const cachePage = (url: string, event: ExtendableEvent) =>
  pageStrategy.handle({ request: new Request(url), event }).catch(() => undefined)

self.addEventListener('activate', (event) => {
  const claimAndCache = async () => {
    await self.clients.claim()
    // Pages that were opened before the service worker was installed are not cached yet.
    for (const { url } of await self.clients.matchAll({ type: 'window' })) await cachePage(url, event)
    await publicDataStrategy.handle({ request: new Request(CONFIG_PATH), event }).catch(() => undefined)
  }
  event.waitUntil(claimAndCache())
})

async function activateNewVersion(ifOnlyWindow = false): Promise<void> {
  // A waiting worker controls no window yet, so include those of the active one.
  const windows = ifOnlyWindow ? await self.clients.matchAll({ type: 'window', includeUncontrolled: true }) : []
  if (windows.length <= 1) await self.skipWaiting()
}

self.addEventListener('message', (event) => {
  const message = event.data as ServiceWorkerMessage
  if (message.kind === 'activate') event.waitUntil(activateNewVersion(message.ifOnlyWindow))
  if (message.kind === 'version') event.ports[0]?.postMessage(MAIN_SCRIPT)
  if (message.kind === 'page') event.waitUntil(cachePage(message.url, event))
})
