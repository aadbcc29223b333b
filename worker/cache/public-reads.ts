import type { Context } from 'hono'
import { etag } from 'hono/etag'
import { createMiddleware } from 'hono/factory'
import type { AppEnv } from '../http/app-env'
import { siteOrigin } from '../http/deps'
import { securityHeadersOf } from '../http/headers'
import { selectNearestReplica } from '../http/read-your-writes'
import { matchesEtag } from '../http/send-stored-file'
import { replaceCopiedImageUrls } from '../uploads/public-images'
import type { CachedResponse, LoadContext, LoadedResponse, LoadResponse, ResponseCache } from './response-cache'

declare module 'hono' {
  interface ContextVariableMap {
    responseCache: ResponseCache
  }
}

const encoder = new TextEncoder()

type SendOptions = {
  /** The response shows posts. They do not change the data version, but authors must see their own at once. */
  showsPosts?: boolean
  /** Callers with a cookie may get another response at the same URL. */
  variesByCookie?: boolean
}

/** A cached response with encoded body and all headers, so that a cache hit does no more than send it. */
type Sendable = { body: Uint8Array<ArrayBuffer>; headers: Headers }
const sendables = new WeakMap<CachedResponse, Sendable>()

function toSendable(c: Context<AppEnv>, cached: CachedResponse, variesByCookie: boolean): Sendable {
  const { body, headers, etag } = cached
  const allHeaders = new Headers({ ...securityHeadersOf(c), ...headers, etag, 'cache-control': 'public, no-cache' })
  if (variesByCookie) allHeaders.set('vary', 'cookie')
  const sendable = { body: encoder.encode(body) as Uint8Array<ArrayBuffer>, headers: allHeaders }
  sendables.set(cached, sendable)
  return sendable
}

/** Sends a cached response, which browsers may store but must revalidate. Unchanged, it is a 304 without a body. */
export async function sendCached(
  c: Context<AppEnv>,
  key: string,
  load: LoadResponse,
  { showsPosts = false, variesByCookie = false }: SendOptions = {},
): Promise<Response> {
  const hasWritten = await selectNearestReplica(c)
  const config = c.get('config')
  const context = { db: c.get('db'), config, origin: siteOrigin(c), at: c.get('now')() }
  // Without a configured origin (the demo), the response contains the request's host.
  const cacheKey = config.origin === null ? `${context.origin} ${key}` : key
  const waitUntil = (work: Promise<unknown>) => c.executionCtx.waitUntil(work)
  const cache = c.get('responseCache')
  const loadWithImages: LoadResponse = async (loadContext) => {
    const loaded = await load(loadContext)
    return { ...loaded, body: await withPublicImages(loaded.body, loadContext) }
  }
  const cached =
    hasWritten && showsPosts
      ? await cache.reload(cacheKey, context, loadWithImages)
      : await cache.get(cacheKey, context, loadWithImages, waitUntil, hasWritten)
  const { body, headers } = sendables.get(cached) ?? toSendable(c, cached, variesByCookie)
  const response = matchesEtag(c.req.header('if-none-match'), cached.etag)
    ? new Response(null, { status: 304, headers })
    : new Response(body, { headers })
  c.set('completeResponse', response)
  return response
}

/** Replaces image URLs by those of the public bucket, if there is one. */
async function withPublicImages(
  body: string,
  { db, config, origin }: Pick<LoadContext, 'db' | 'config' | 'origin'>,
): Promise<string> {
  const imagesOrigin = config.publicImagesOrigin
  return imagesOrigin === null ? body : replaceCopiedImageUrls(body, { db, siteOrigin: origin, imagesOrigin })
}

/** A public read with the same response for all callers. */
export const cachedPublicRead = (load: LoadResponse) => (c: Context<AppEnv>) => sendCached(c, c.req.path, load)

/** Cached for requests without a cookie; others go to the next handler, which adds personal data. */
export const cachedForVisitors = (load: LoadResponse) => cacheForVisitors((c) => [c.req.path, load])

/** As `cachedForVisitors`, for a path with `:id`. All percent-encoded spellings of an id share one cache key. */
export const cachedByIdForVisitors = (path: string, loadById: (id: string) => LoadResponse) =>
  cacheForVisitors((c) => {
    const id = c.req.param('id') ?? ''
    return [path.replace(':id', encodeURIComponent(id)), loadById(id)]
  })

const cacheForVisitors = (keyAndLoad: (c: Context<AppEnv>) => [key: string, load: LoadResponse]) =>
  createMiddleware<AppEnv>(async (c, next) => {
    if (c.req.header('cookie') === undefined) return sendCached(c, ...keyAndLoad(c), { variesByCookie: true })
    c.header('vary', 'cookie')
    await selectNearestReplica(c)
    await next()
    // As in the server-rendered page: with other image URLs, browsers would fetch each image twice.
    if (!c.res.ok || c.var.config.publicImagesOrigin === null) return
    const body = await withPublicImages(await c.res.text(), { ...c.var, origin: siteOrigin(c) })
    c.res = new Response(body, c.res)
  })

/** The JSON response of a load. */
export const cachedJson = (data: unknown, { hasCounters = false } = {}): LoadedResponse => ({
  body: JSON.stringify(data),
  headers: { 'content-type': 'application/json' },
  hasCounters,
})

const withEtag = etag()

/** ETag and 304 for public responses that are not cached in memory. */
export const conditionalGet = createMiddleware<AppEnv>(async (c, next) =>
  withEtag(c, async () => {
    await next()
    if (c.res.ok) c.header('cache-control', 'public, no-cache')
  }),
)

/** As `conditionalGet` for requests without a cookie; others get a personal response. */
export const conditionalGetForVisitors = createMiddleware<AppEnv>((c, next) => {
  c.header('vary', 'cookie')
  return c.req.header('cookie') === undefined ? conditionalGet(c, next) : next()
})
