import { adminListsApi, adminOverviewApi, adminSessionApi, adminUsersApi, teamApi } from './admin'
import { adminChallengeApi, adminSubmissionsApi } from './admin-challenge'
import {
  adminConcertsApi,
  adminProductsApi,
  adminReleasesApi,
  adminSiteApi,
  adminSocialPostsApi,
  adminTiersApi,
  adminTracksApi,
} from './admin-content'
import { adminMissionsApi } from './admin-missions'
import { adminPollsApi } from './admin-polls'
import { adminSearchApi } from './admin-search'
import { adminAppearanceApi } from './appearance'
import { archivesApi } from './archives'
import { accountApi, authApi } from './auth'
import { broadcastsApi } from './broadcasts'
import { addressesApi, cartApi } from './cart'
import { challengeApi } from './challenge'
import { checkInApi } from './check-in'
import { checkoutApi } from './checkout'
import { communityApi } from './community'
import { concertsApi } from './concerts'
import { developersApi } from './developers'
import { adminDiscountsApi } from './discounts'
import { downloadCodesApi } from './download-codes'
import { downloadsApi } from './downloads'
import { adminEmailApi, emailApi } from './email'
import type { Endpoint } from './endpoint'
import { exportsApi } from './exports'
import { hallOfFameApi } from './hall-of-fame'
import { importsApi } from './imports'
import { legalTextsApi } from './legal-texts'
import { mastersApi } from './masters'
import { metricsApi } from './metrics'
import { mailingListsApi, newsletterApi } from './newsletter'
import { adminOrdersApi, ordersApi } from './orders'
import { passkeysApi } from './passkeys'
import { pendingTasksApi } from './pending-tasks'
import { pointsApi } from './points'
import { pollsApi } from './polls'
import { privacyApi } from './privacy'
import { productsApi } from './products'
import { releasesApi } from './releases'
import { salesApi } from './sales'
import { savedViewsApi } from './saved-views'
import { setupApi } from './setup'
import { adminShopApi, adminTaxRatesApi, adminZonesApi, shopApi } from './shop-settings'
import { siteApi } from './site'
import { stockAlertsApi } from './stock-alerts'
import { subscriptionsApi } from './subscriptions'
import { supporterPageApi } from './supporter-page'
import { systemApi } from './system'
import { tracksApi } from './tracks'
import { uploadsApi } from './uploads'

/** Endpoints by feature. Without the record type, `endpoints` would be `any[]`. */
export const apis: readonly Record<string, Endpoint>[] = [
  siteApi,
  legalTextsApi,
  adminAppearanceApi,
  authApi,
  accountApi,
  adminSessionApi,
  passkeysApi,
  adminOverviewApi,
  metricsApi,
  pendingTasksApi,
  setupApi,
  adminSearchApi,
  tracksApi,
  releasesApi,
  mastersApi,
  productsApi,
  shopApi,
  adminDiscountsApi,
  adminZonesApi,
  adminTaxRatesApi,
  adminShopApi,
  cartApi,
  addressesApi,
  stockAlertsApi,
  checkoutApi,
  ordersApi,
  adminOrdersApi,
  salesApi,
  downloadsApi,
  downloadCodesApi,
  subscriptionsApi,
  concertsApi,
  checkInApi,
  communityApi,
  pollsApi,
  adminPollsApi,
  pointsApi,
  hallOfFameApi,
  challengeApi,
  adminChallengeApi,
  adminSubmissionsApi,
  adminTracksApi,
  adminReleasesApi,
  adminProductsApi,
  adminConcertsApi,
  adminSiteApi,
  adminTiersApi,
  adminSocialPostsApi,
  adminMissionsApi,
  adminListsApi,
  savedViewsApi,
  uploadsApi,
  adminUsersApi,
  supporterPageApi,
  teamApi,
  exportsApi,
  importsApi,
  archivesApi,
  systemApi,
  newsletterApi,
  mailingListsApi,
  emailApi,
  adminEmailApi,
  broadcastsApi,
  privacyApi,
  developersApi,
]

/** Every endpoint the worker serves. */
export const endpoints: readonly Endpoint[] = apis.flatMap((api) => Object.values(api))
