import { type Context, Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import { adminRoutes } from './admin/admin.routes'
import { adminListsRoutes } from './admin/admin-lists.routes'
import { adminUsersRoutes } from './admin/users.routes'
import { archivesRoutes } from './archive/archives.routes'
import { accountRoutes } from './auth/account.routes'
import { adminSessionRoutes, secondFactorRoutes } from './auth/admin-session.routes'
import { apiTokenAuth } from './auth/api-token.middleware'
import { authRoutes, emailLinksRoutes } from './auth/auth.routes'
import { registerEmailConfirmedHandler } from './auth/email-confirmed'
import { googleRoutes } from './auth/google.routes'
import { passkeysRoutes } from './auth/passkeys.routes'
import { accessControl, sessionMiddleware } from './auth/session.middleware'
import { createSessionCache } from './auth/sessions'
import { broadcastsRoutes } from './broadcasts/broadcasts.routes'
import { demoMailboxRoutes } from './broadcasts/demo-mailbox.routes'
import { createResponseCache } from './cache/response-cache'
import { cartRoutes } from './cart/cart.routes'
import { challengeAdminRoutes } from './challenge/admin.routes'
import { challengeRoutes } from './challenge/challenge.routes'
import { confirmUserVerses } from './challenge/withdraw'
import { checkInRoutes } from './check-in/check-in.routes'
import { communityRoutes } from './community/community.routes'
import { confirmCityRequests } from './concerts/city-requests'
import { concertsRoutes } from './concerts/concerts.routes'
import { findEndpoint } from './contract'
import type { BackgroundWork } from './contract/endpoint'
import { openDb } from './db/client'
import { enqueueDueWebhooks } from './developers/deliver-webhooks'
import { developersRoutes } from './developers/developers.routes'
import { downloadCodesRoutes } from './downloads/download-codes.routes'
import { downloadsRoutes } from './downloads/downloads.routes'
import { prepareDownloads } from './downloads/prepare'
import { adminEmailRoutes } from './email/email.routes'
import { drainOutboxAfterResponse } from './email/outbox.middleware'
import { readConfig } from './env'
import { exportsRoutes } from './exports/exports.routes'
import { gdprRoutes } from './gdpr/gdpr.routes'
import type { AppEnv } from './http/app-env'
import { hideReferrer, noStoreByDefault, securityHeaders } from './http/headers'
import { notFound, onError } from './http/on-error'
import { checkOrigin, redirectToHttps } from './http/origin'
import { bookmarkWrites } from './http/read-your-writes'
import { limitRequestBody, requireJson } from './http/request-body'
import { requestLog } from './http/request-log'
import { checkQuery } from './http/validate'
import { limitWriteTime } from './http/write-timeout'
import { importsRoutes } from './imports/imports.routes'
import type { Millis } from './lib/clock'
import { logError } from './lib/log'
import { missionsRoutes } from './missions/missions.routes'
import { newsletterRoutes } from './newsletter/newsletter.routes'
import { adminOrdersRoutes } from './orders/admin-orders.routes'
import { ordersRoutes } from './orders/orders.routes'
import { onPaymentEvent } from './orders/payment-events'
import { registerPaymentEventHandlers } from './payments/payments'
import { paymentsRoutes } from './payments/payments.routes'
import { pointsRoutes } from './points/points.routes'
import { countPendingVotes } from './polls/count-votes'
import { createLiveNotifier } from './polls/live'
import { pollsRoutes } from './polls/polls.routes'
import { createVoteQueue } from './polls/vote-batcher'
import { productsRoutes } from './products/products.routes'
import { mastersRoutes } from './releases/masters.routes'
import { releasesRoutes } from './releases/releases.routes'
import { shopSettingsRoutes } from './shop-settings/shop-settings.routes'
import { siteRoutes } from './site/site.routes'
import { type Render, render } from './ssr/build-output'
import { crawlersRoutes } from './ssr/crawlers.routes'
import { embedRoutes } from './ssr/embed.routes'
import { feedsRoutes } from './ssr/feeds.routes'
import { pagesRoutes } from './ssr/pages.routes'
import { stockAlertsRoutes } from './stock-alerts/stock-alerts.routes'
import { onSubscriptionEvent } from './subscriptions/subscription-events'
import { subscriptionsRoutes } from './subscriptions/subscriptions.routes'
import { embedAudioRoutes } from './tracks/embed-audio.routes'
import { tracksRoutes } from './tracks/tracks.routes'
import { mediaRoutes } from './uploads/media.routes'
import { uploadsRoutes } from './uploads/uploads.routes'

for (const handler of [countPendingVotes, confirmCityRequests, confirmUserVerses])
  registerEmailConfirmedHandler(handler)
registerPaymentEventHandlers({ payment: onPaymentEvent, subscription: onSubscriptionEvent })

const routes = [
  siteRoutes,
  crawlersRoutes,
  feedsRoutes,
  embedRoutes,
  embedAudioRoutes,
  missionsRoutes,
  mediaRoutes,
  tracksRoutes,
  releasesRoutes,
  mastersRoutes,
  productsRoutes,
  shopSettingsRoutes,
  cartRoutes,
  stockAlertsRoutes,
  ordersRoutes,
  downloadsRoutes,
  downloadCodesRoutes,
  paymentsRoutes,
  concertsRoutes,
  checkInRoutes,
  communityRoutes,
  pollsRoutes,
  pointsRoutes,
  challengeRoutes,
  newsletterRoutes,
  adminRoutes,
  exportsRoutes,
  importsRoutes,
  archivesRoutes,
  challengeAdminRoutes,
  uploadsRoutes,
  adminListsRoutes,
  adminUsersRoutes,
  authRoutes,
  emailLinksRoutes,
  accountRoutes,
  adminSessionRoutes,
  secondFactorRoutes,
  googleRoutes,
  passkeysRoutes,
  demoMailboxRoutes,
  adminEmailRoutes,
  broadcastsRoutes,
  subscriptionsRoutes,
  adminOrdersRoutes,
  gdprRoutes,
  developersRoutes,
]

/** After a write by an admin, this isolate serves the change at once; other isolates follow within seconds. */
const invalidateCacheAfterAdminWrite = createMiddleware<AppEnv>(async (c, next) => {
  await next()
  if (c.req.method !== 'GET' && c.req.path.startsWith('/api/admin/')) c.var.responseCache.invalidate()
})

/** Scheduled jobs do the same, minutes later. */
const BACKGROUND_WORK: Record<BackgroundWork, (c: Context<AppEnv>) => Promise<void>> = {
  prepare_downloads: (c) => prepareDownloads(c.env, c.var.now()),
  deliver_webhooks: (c) => enqueueDueWebhooks(c.var.db, c.env.PREVIEWS, c.var.now()),
}

const startBackgroundWork = createMiddleware<AppEnv>(async (c, next) => {
  await next()
  const work = c.var.endpoint?.starts
  if (!work || c.res.status >= 400) return
  const done = BACKGROUND_WORK[work](c)
  c.executionCtx.waitUntil(done.catch((error: unknown) => logError(work, error, { id: c.var.requestId })))
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

const constant =
  <T>(value: T) =>
  () =>
    value

/** State that all requests of an isolate share. */
export const newIsolateState = (now: () => Millis = Date.now) => ({
  now,
  responseCache: createResponseCache(),
  sessionCache: createSessionCache(),
  liveNotifier: createLiveNotifier(),
  voteQueue: createVoteQueue(),
})
export type IsolateState = ReturnType<typeof newIsolateState>

/** The whole HTTP API and the pages. Tests pass their own clock and renderer. */
export function createApp(
  now: () => Millis = Date.now,
  renderPage: Render = render,
  isolateOf: (request: Request) => IsolateState = constant(newIsolateState(now)),
) {
  const configOf = memoizeByObject(readConfig)
  const dbOf = memoizeByObject(openDb)
  const app = new Hono<AppEnv>()
  app.onError(onError)
  app.notFound(notFound)
  app.use(requestLog, securityHeaders, noStoreByDefault, hideReferrer)
  app.use(
    createMiddleware<AppEnv>(async (c, next) => {
      const isolate = isolateOf(c.req.raw)
      c.set('endpoint', findEndpoint(c.req.method, c.req.path))
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
  app.route('/', pagesRoutes)
  return app
}
