import type { Context } from 'hono'
import { etag } from 'hono/etag'
import { createMiddleware } from 'hono/factory'
import type { AppEnv } from '../http/app-env'
import { siteOrigin } from '../http/deps'
import { matchesEtag } from '../http/downloads'
import { selectNearestReplica } from '../http/read-your-writes'
import type { LoadedResponse, LoadResponse, ResponseCache } from './response-cache'

declare module 'hono' {
  interface ContextVariableMap {
    responseCache: ResponseCache
  }
}

/** Sends a kept answer. Everybody may keep it as well, and asks before using it again, which costs no bytes (304). */
export async function sendCached(c: Context<AppEnv>, key: string, load: LoadResponse): Promise<Response> {
  const hasWritten = await selectNearestReplica(c)
  const { config } = c.var
  const context = { db: c.var.db, config, origin: siteOrigin(c), at: c.var.now() }
  // The demo believes the request's own host: what it was asked by another name is another answer.
  const cacheKey = config.origin === null ? `${context.origin} ${key}` : key
  const waitUntil = (work: Promise<unknown>) => c.executionCtx.waitUntil(work)
  const { body, headers, etag } = await c.var.responseCache.get(cacheKey, context, load, waitUntil, hasWritten)
  const headersOut = { ...headers, etag, 'cache-control': 'public, no-cache' }
  return matchesEtag(c.req.header('if-none-match'), etag)
    ? c.body(null, 304, headersOut)
    : c.body(body, 200, headersOut)
}

/** A public read with the same answer for everybody. */
export const cachedPublicRead = (load: LoadResponse) => (c: Context<AppEnv>) => sendCached(c, c.req.path, load)

/**
 * A public read that tells a supporter something of their own. Who sends no cookie gets the kept answer; whoever sends
 * one goes on to the handler behind, which answers them alone.
 */
export const cachedForVisitors = (load: LoadResponse) => cacheForVisitors((c) => [c.req.path, load])

/**
 * The same of the one thing that `:id` of `path` names. Its id is all that the maker learns of the request, and one
 * spelling of it is kept: percent signs let an address be written in any number of ways.
 */
export const cachedByIdForVisitors = (path: string, loadById: (id: string) => LoadResponse) =>
  cacheForVisitors((c) => {
    const id = c.req.param('id') ?? ''
    return [path.replace(':id', encodeURIComponent(id)), loadById(id)]
  })

const cacheForVisitors = (keyAndLoad: (c: Context<AppEnv>) => [key: string, load: LoadResponse]) =>
  createMiddleware<AppEnv>(async (c, next) => {
    c.header('vary', 'cookie')
    if (c.req.header('cookie') === undefined) return sendCached(c, ...keyAndLoad(c))
    await selectNearestReplica(c)
    await next()
  })

/** Data as a kept answer. `counts` where it shows counters, which do not move the data version. */
export const cachedJson = (data: unknown, { counts = false } = {}): LoadedResponse => ({
  body: JSON.stringify(data),
  headers: { 'content-type': 'application/json' },
  hasCounters: counts,
})

const withEtag = etag()

/**
 * For public answers that are the same for everybody and seldom change: anybody may keep one, and asks before using
 * it again, so that an edit shows at once and an unchanged answer costs no bytes (304).
 */
export const conditionalGet = createMiddleware<AppEnv>(async (c, next) =>
  withEtag(c, async () => {
    await next()
    if (c.res.ok) c.header('cache-control', 'public, no-cache')
  }),
)

/**
 * The same for a public answer that tells a supporter something of their own, and is never kept in memory: moderation
 * shows at once. Whoever sends a cookie is answered alone.
 */
export const conditionalGetForVisitors = createMiddleware<AppEnv>((c, next) => {
  c.header('vary', 'cookie')
  return c.req.header('cookie') === undefined ? conditionalGet(c, next) : next()
})
