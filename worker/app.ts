import { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import { listsRoutes } from './admin/lists.routes'
import { overviewRoutes } from './admin/overview.routes'
import { peopleRoutes } from './admin/people.routes'
import { accountRoutes } from './auth/account.routes'
import { adminSessionRoutes } from './auth/admin-session.routes'
import { authRoutes } from './auth/auth.routes'
import { googleRoutes } from './auth/google.routes'
import { mailedRoutes } from './auth/mailed.routes'
import { newRemembered } from './auth/remembered'
import { secondFactorRoutes } from './auth/second-factor.routes'
import { guard, session } from './auth/session.middleware'
import { bouncesRoutes } from './bounces/bounces.routes'
import { broadcastsRoutes } from './broadcasts/broadcasts.routes'
import { challengeRoutes } from './challenge/challenge.routes'
import { challengeDeskRoutes } from './challenge/desk.routes'
import { checkInRoutes } from './check-in/check-in.routes'
import { communityRoutes } from './community/community.routes'
import { concertsRoutes } from './concerts/concerts.routes'
import { readConfig } from './config'
import { contentRoutes } from './content/content.routes'
import { missionsRoutes } from './content/missions.routes'
import { siteContentRoutes } from './content/site-content.routes'
import { openDb } from './db/client'
import { exportsRoutes } from './exports/exports.routes'
import type { AppEnv, Render } from './http/app-env'
import { jsonOnly, smallBody } from './http/body'
import { writesLeaveABookmark } from './http/bookmark'
import { privateByDefault, quietReferrer, securityHeaders } from './http/headers'
import { httpsOnly } from './http/https-only'
import { newKept } from './http/kept'
import { notServed } from './http/not-found'
import { onError } from './http/on-error'
import { ownOrigin } from './http/origin'
import { render } from './http/render'
import { requestLog } from './http/request-log'
import type { Millis } from './lib/clock'
import { liveRoutes } from './live/live.routes'
import { newTold } from './live/told'
import { adminMailRoutes } from './mail/admin-mail.routes'
import { mailAfterAnswer } from './mail/mail.middleware'
import { mailRoutes } from './mail/mail.routes'
import { mediaRoutes } from './media/media.routes'
import { newsletterRoutes } from './newsletter/newsletter.routes'
import { adminOrdersRoutes } from './orders/admin-orders.routes'
import { checkoutRoutes } from './orders/checkout.routes'
import { ordersRoutes } from './orders/orders.routes'
import { paymentsRoutes } from './payments/payments.routes'
import { pointsRoutes } from './points/points.routes'
import { pollsRoutes } from './polls/polls.routes'
import { newRush } from './polls/rush'
import { privacyRoutes } from './privacy/privacy.routes'
import { shopRoutes } from './shop/shop.routes'
import { pagesRoutes } from './site/pages.routes'
import { siteRoutes } from './site/site.routes'
import { subscriptionsRoutes } from './subscriptions/subscriptions.routes'
import { audioRoutes } from './tracks/audio.routes'
import { tracksRoutes } from './tracks/tracks.routes'
import { uploadsRoutes } from './uploads/uploads.routes'

const publicRoutes = [
  siteRoutes,
  mediaRoutes,
  tracksRoutes,
  audioRoutes,
  shopRoutes,
  checkoutRoutes,
  ordersRoutes,
  paymentsRoutes,
  concertsRoutes,
  checkInRoutes,
  communityRoutes,
  pollsRoutes,
  liveRoutes,
  pointsRoutes,
  challengeRoutes,
  newsletterRoutes,
]
const deskRoutes = [
  overviewRoutes,
  exportsRoutes,
  contentRoutes,
  siteContentRoutes,
  missionsRoutes,
  challengeDeskRoutes,
  uploadsRoutes,
  peopleRoutes,
  listsRoutes,
]
const ownRoutes = [
  authRoutes,
  mailedRoutes,
  accountRoutes,
  adminSessionRoutes,
  secondFactorRoutes,
  googleRoutes,
  mailRoutes,
  adminMailRoutes,
  broadcastsRoutes,
  bouncesRoutes,
  subscriptionsRoutes,
  adminOrdersRoutes,
  privacyRoutes,
]

/** What an administrator has just changed shows at once where they look; elsewhere within seconds. */
const lookAgainAfterTheDesk = createMiddleware<AppEnv>(async (c, next) => {
  await next()
  if (c.req.method !== 'GET' && c.req.path.startsWith('/api/admin/')) c.var.kept.forget()
})

/** Answers from memory for an object that it was asked about before: an isolate's bindings do not change. */
function readOnce<K extends object, V>(read: (key: K) => V): (key: K) => V {
  const answers = new WeakMap<K, V>()
  return (key) => {
    const answer = answers.get(key) ?? read(key)
    answers.set(key, answer)
    return answer
  }
}

/** The whole HTTP surface. `now` is the clock and `draw` draws pages; tests hand in their own. */
export function newApp(now: () => Millis = Date.now, draw: Render = render) {
  const [kept, remembered, told, rush] = [newKept(), newRemembered(), newTold(), newRush()]
  const configOf = readOnce(readConfig)
  const dbOf = readOnce(openDb)
  const app = new Hono<AppEnv>()
  app.onError(onError)
  app.notFound(notServed)
  app.use(requestLog, securityHeaders, privateByDefault, quietReferrer)
  app.use(
    createMiddleware<AppEnv>(async (c, next) => {
      c.set('now', now)
      c.set('config', configOf(c.env))
      c.set('db', dbOf(c.env.DB))
      c.set('kept', kept)
      c.set('remembered', remembered)
      c.set('told', told)
      c.set('rush', rush)
      c.set('render', draw)
      await next()
    }),
  )
  app.use(
    httpsOnly,
    lookAgainAfterTheDesk,
    ownOrigin,
    writesLeaveABookmark,
    session,
    guard,
    smallBody,
    jsonOnly,
    mailAfterAnswer,
  )
  for (const routes of publicRoutes) app.route('/', routes)
  for (const routes of deskRoutes) app.route('/', routes)
  for (const routes of ownRoutes) app.route('/', routes)
  app.route('/', pagesRoutes)
  return app
}
