import { adminRoutes } from './admin/admin.routes'
import { adminListsRoutes } from './admin/admin-lists.routes'
import { adminUsersRoutes } from './admin/users.routes'
import { archivesRoutes } from './archive/archives.routes'
import { accountRoutes } from './auth/account.routes'
import { adminSessionRoutes, secondFactorRoutes } from './auth/admin-session.routes'
import { authRoutes, emailLinksRoutes } from './auth/auth.routes'
import { googleRoutes } from './auth/google.routes'
import { passkeysRoutes } from './auth/passkeys.routes'
import { broadcastsRoutes } from './broadcasts/broadcasts.routes'
import { demoMailboxRoutes } from './broadcasts/demo-mailbox.routes'
import { cartRoutes } from './cart/cart.routes'
import { challengeAdminRoutes } from './challenge/admin.routes'
import { challengeRoutes } from './challenge/challenge.routes'
import { checkInRoutes } from './check-in/check-in.routes'
import { communityRoutes } from './community/community.routes'
import { concertsRoutes } from './concerts/concerts.routes'
import { endpoints } from './contract'
import { developersRoutes } from './developers/developers.routes'
import { downloadCodesRoutes } from './downloads/download-codes.routes'
import { downloadsRoutes } from './downloads/downloads.routes'
import { adminEmailRoutes } from './email/email.routes'
import { exportsRoutes } from './exports/exports.routes'
import { gdprRoutes } from './gdpr/gdpr.routes'
import type { RouteGroup } from './http/route-group'
import { importsRoutes } from './imports/imports.routes'
import { missionsRoutes } from './missions/missions.routes'
import { newsletterRoutes } from './newsletter/newsletter.routes'
import { adminOrdersRoutes } from './orders/admin-orders.routes'
import { ordersRoutes } from './orders/orders.routes'
import { paymentsRoutes } from './payments/payments.routes'
import { pointsRoutes } from './points/points.routes'
import { pollsRoutes } from './polls/polls.routes'
import { productsRoutes } from './products/products.routes'
import { mastersRoutes } from './releases/masters.routes'
import { releasesRoutes } from './releases/releases.routes'
import { shopSettingsRoutes } from './shop-settings/shop-settings.routes'
import { siteRoutes } from './site/site.routes'
import { crawlersRoutes } from './ssr/crawlers.routes'
import { embedRoutes } from './ssr/embed.routes'
import { feedsRoutes } from './ssr/feeds.routes'
import { pagesRoutes } from './ssr/pages.routes'
import { stockAlertsRoutes } from './stock-alerts/stock-alerts.routes'
import { subscriptionsRoutes } from './subscriptions/subscriptions.routes'
import { embedAudioRoutes } from './tracks/embed-audio.routes'
import { tracksRoutes } from './tracks/tracks.routes'
import { mediaRoutes } from './uploads/media.routes'
import { uploadsRoutes } from './uploads/uploads.routes'

/** Every route of the worker. Most calls of a visitor load only `publicRoutes` or `pageRouteGroup`. */
export const allRoutes: RouteGroup = {
  endpoints,
  routes: [
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
    pagesRoutes,
  ],
}
