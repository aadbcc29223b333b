import { type Context, type ExecutionContext, Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import { getPath } from 'hono/utils/url'
import { apiTokenAuth } from './auth/api-token.middleware'
import { registerEmailConfirmedHandler } from './auth/email-confirmed'
import { accessControl, sessionMiddleware } from './auth/session.middleware'
import { createSessionCache } from './auth/sessions'
import { createResponseCache } from './cache/response-cache'
import type { BackgroundWork } from './contract/endpoint'
import { indexEndpoints } from './contract/endpoint-index'
import { openDb } from './db/client'
import { drainOutboxAfterResponse } from './email/outbox.middleware'
import { type Env, readConfig } from './env'
import type { AppEnv } from './http/app-env'
import { hideReferrer, noStoreByDefault, securityHeaders } from './http/headers'
import { notFound, onError } from './http/on-error'
import { checkOrigin, redirectToHttps } from './http/origin'
import { bookmarkWrites } from './http/read-your-writes'
import { limitRequestBody, requireJson } from './http/request-body'
import { requestLog } from './http/request-log'
import type { RouteGroup } from './http/route-group'
import { checkQuery } from './http/validate'
import { limitWriteTime } from './http/write-timeout'
import type { Millis } from './lib/clock'
import { logError } from './lib/log'
import { registerPaymentEventHandlers } from './payments/payments'
import { createLiveNotifier } from './polls/live'
import { createVoteQueue } from './polls/vote-batcher'
import { type RenderPage, render } from './ssr/render-page'

// Modules that few requests need are imported on demand, so that an isolate starts sooner.
registerEmailConfirmedHandler(async (...args) => (await import('./polls/count-votes')).countPendingVotes(...args))
registerEmailConfirmedHandler(async (...args) =>
  (await import('./concerts/city-requests')).confirmCityRequests(...args),
)
registerEmailConfirmedHandler(async (...args) => (await import('./challenge/confirm-verse')).confirmUserVerses(...args))
registerPaymentEventHandlers({
  payment: async (...args) => (await import('./orders/payment-events')).onPaymentEvent(...args),
  subscription: async (...args) => (await import('./subscriptions/subscription-events')).onSubscriptionEvent(...args),
})

/** Paths of `publicRoutes`. */
const PUBLIC_PATHS =
  /^\/(media|api\/(announced-releases|challenges?|community|concerts|config|leaderboard|legal|missions|points|polls|products|referrals|releases|tracks))(\/|$)|^\/api\/auth\/(status|user)$/
/** Paths that are not pages. */
const NON_PAGE_PATHS = /^\/(api|assets|embed|healthz)(\/|$)|\.[a-z0-9]+$/i

/** The group of routes that serves a path. A group is imported at the first request that needs it. */
export function routeGroupOf(path: string): 'public' | 'pages' | 'all' {
  if (PUBLIC_PATHS.test(path)) return 'public'
  return NON_PAGE_PATHS.test(path) ? 'all' : 'pages'
}
export const ROUTE_GROUPS: Record<ReturnType<typeof routeGroupOf>, () => Promise<RouteGroup>> = {
  public: async () => (await import('./public.routes')).publicRoutes,
  pages: async () => (await import('./ssr/pages.routes')).pageRouteGroup,
  all: async () => (await import('./all.routes')).allRoutes,
}

/** After a write by an admin, this isolate serves the change at once; other isolates follow within seconds. */
const invalidateCacheAfterAdminWrite = createMiddleware<AppEnv>(async (c, next) => {
  await next()
  if (c.req.method !== 'GET' && c.req.path.startsWith('/api/admin/')) c.var.responseCache.invalidate()
})

/** Work that starts after the response. Without it, scheduled jobs would do the same minutes later. */
const BACKGROUND_WORK: Record<BackgroundWork, (c: Context<AppEnv>) => Promise<void>> = {
  prepare_downloads: async (c) => (await import('./downloads/prepare')).prepareDownloads(c.env, c.var.now()),
  deliver_webhooks: async (c) =>
    (await import('./developers/deliver-webhooks')).enqueueDueDeliveries(c.var.db, c.env.PREVIEWS, c.var.now()),
}

const startBackgroundWork = createMiddleware<AppEnv>(async (c, next) => {
  await next()
  const workName = c.var.endpoint?.starts
  if (!workName || c.res.status >= 400) return
  const work = BACKGROUND_WORK[workName](c)
  c.executionCtx.waitUntil(work.catch((error: unknown) => logError(workName, error, { id: c.var.requestId })))
})

/** Memoizes a value that is derived from bindings, which do not change during an isolate's life. */
function memoizeByObject<K extends object, V>(read: (key: K) => V): (key: K) => V {
  const cache = new WeakMap<K, V>()
  return (key) => {
    const value = cache.get(key) ?? read(key)
    cache.set(key, value)
    return value
  }
}

/** State that all requests of an isolate share. */
export const newIsolateState = (now: () => Millis = Date.now) => ({
  now,
  responseCache: createResponseCache(),
  sessionCache: createSessionCache(),
  liveNotifier: createLiveNotifier(),
  voteQueue: createVoteQueue(),
})
export type IsolateState = ReturnType<typeof newIsolateState>

/** The whole HTTP API and the pages. Tests and benchmarks pass their own clock, renderer and isolate state. */
export function createApp(
  now: () => Millis = Date.now,
  renderPage: RenderPage = render,
  isolateOf?: (request: Request) => IsolateState,
) {
  const sharedState = newIsolateState(now)
  const configOf = memoizeByObject(readConfig)
  const dbOf = memoizeByObject(openDb)
  const build = ({ routes, endpoints }: RouteGroup) => {
    const app = new Hono<AppEnv>()
    const endpointIndex = indexEndpoints(endpoints)
    app.onError(onError)
    app.notFound(notFound)
    app.use(requestLog, securityHeaders, noStoreByDefault, hideReferrer)
    app.use(
      createMiddleware<AppEnv>(async (c, next) => {
        const isolate = isolateOf?.(c.req.raw) ?? sharedState
        c.set('endpoints', endpointIndex)
        c.set('endpoint', endpointIndex.find(c.req.method, c.req.path))
        c.set('now', isolate.now)
        c.set('config', configOf(c.env))
        c.set('db', dbOf(c.env.DB))
        c.set('responseCache', isolate.responseCache)
        c.set('sessionCache', isolate.sessionCache)
        c.set('liveNotifier', isolate.liveNotifier)
        c.set('voteQueue', isolate.voteQueue)
        c.set('render', renderPage)
        await next()
      }),
    )
    app.use(
      redirectToHttps,
      invalidateCacheAfterAdminWrite,
      apiTokenAuth,
      checkOrigin,
      limitWriteTime,
      checkQuery,
      bookmarkWrites,
      limitRequestBody,
      // Before the session is checked: a caller could hold the body back until after their session has ended.
      requireJson,
      sessionMiddleware,
      accessControl,
      drainOutboxAfterResponse,
      startBackgroundWork,
    )
    for (const feature of routes) app.route('/', feature)
    return app
  }
  const apps = new Map<string, Hono<AppEnv>>()
  return {
    /** Each concurrent first request awaits its own import, because in Workers requests must not share a promise. */
    fetch: async (request: Request, env: Env, context: ExecutionContext): Promise<Response> => {
      const group = routeGroupOf(getPath(request))
      const loaded = apps.get(group)
      if (loaded) return loaded.fetch(request, env, context)
      const routeGroup = await ROUTE_GROUPS[group]()
      const app = apps.get(group) ?? build(routeGroup)
      apps.set(group, app)
      return app.fetch(request, env, context)
    },
  }
}
