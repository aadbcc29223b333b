import { adminChallengeApi } from './admin-challenge'
import { adminContentApi } from './admin-content'
import { adminListsApi } from './admin-lists'
import { adminMissionsApi } from './admin-missions'
import { adminOrdersApi } from './admin-orders'
import { adminOverviewApi } from './admin-overview'
import { adminPollsApi } from './admin-polls'
import { adminSessionApi } from './admin-session'
import { adminSiteContentApi } from './admin-site-content'
import { adminSubmissionsApi } from './admin-submissions'
import { adminUsersApi } from './admin-users'
import { accountApi, authApi } from './auth'
import { broadcastsApi } from './broadcasts'
import { challengeApi } from './challenge'
import { checkInApi } from './check-in'
import { communityApi } from './community'
import { concertsApi } from './concerts'
import { adminEmailApi, emailApi } from './email'
import { exportsApi } from './exports'
import { hallOfFameApi } from './hall-of-fame'
import { mailingListsApi } from './mailing-lists'
import { newsletterApi } from './newsletter'
import { ordersApi } from './orders'
import { pointsApi } from './points'
import { pollsApi } from './polls'
import { privacyApi } from './privacy'
import { productsApi } from './products'
import { siteApi } from './site'
import { subscriptionsApi } from './subscriptions'
import { tracksApi } from './tracks'
import { uploadsApi } from './uploads'

/** The whole wire: every endpoint that the worker serves, and none that it does not (tests compare). */
export const contract = {
  site: siteApi,
  auth: authApi,
  account: accountApi,
  adminSession: adminSessionApi,
  adminOverview: adminOverviewApi,
  tracks: tracksApi,
  products: productsApi,
  orders: ordersApi,
  adminOrders: adminOrdersApi,
  subscriptions: subscriptionsApi,
  concerts: concertsApi,
  checkIn: checkInApi,
  community: communityApi,
  polls: pollsApi,
  adminPolls: adminPollsApi,
  points: pointsApi,
  hallOfFame: hallOfFameApi,
  challenge: challengeApi,
  adminChallenge: adminChallengeApi,
  adminSubmissions: adminSubmissionsApi,
  adminContent: adminContentApi,
  adminSiteContent: adminSiteContentApi,
  adminMissions: adminMissionsApi,
  adminLists: adminListsApi,
  uploads: uploadsApi,
  adminUsers: adminUsersApi,
  exports: exportsApi,
  newsletter: newsletterApi,
  mailingLists: mailingListsApi,
  email: emailApi,
  adminEmail: adminEmailApi,
  broadcasts: broadcastsApi,
  privacy: privacyApi,
} as const
