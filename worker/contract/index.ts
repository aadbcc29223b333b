import { adminOrdersApi } from './admin-orders'
import { adminSessionApi } from './admin-session'
import { accountApi, authApi } from './auth'
import { broadcastsApi } from './broadcasts'
import { challengeApi } from './challenge'
import { challengeDeskApi } from './challenge-desk'
import { challengeNowApi } from './challenge-now'
import { checkInApi } from './check-in'
import { communityApi } from './community'
import { concertsApi } from './concerts'
import { contentApi } from './content'
import { deskListsApi } from './desk-lists'
import { exportsApi } from './exports'
import { listsApi } from './lists'
import { adminMailApi, mailApi } from './mail'
import { missionsApi } from './missions'
import { newsletterApi } from './newsletter'
import { officialPollsApi } from './official-polls'
import { ordersApi } from './orders'
import { overviewApi } from './overview'
import { peopleApi } from './people'
import { pointsApi } from './points'
import { pollsApi } from './polls'
import { privacyApi } from './privacy'
import { shopApi } from './shop'
import { siteApi } from './site'
import { siteContentApi } from './site-content'
import { submissionsApi } from './submissions'
import { subscriptionsApi } from './subscriptions'
import { tracksApi } from './tracks'
import { uploadsApi } from './uploads'

/** The whole wire: every endpoint that the worker serves, and none that it does not (tests compare). */
export const contract = {
  site: siteApi,
  auth: authApi,
  account: accountApi,
  adminSession: adminSessionApi,
  overview: overviewApi,
  tracks: tracksApi,
  shop: shopApi,
  orders: ordersApi,
  adminOrders: adminOrdersApi,
  subscriptions: subscriptionsApi,
  concerts: concertsApi,
  checkIn: checkInApi,
  community: communityApi,
  polls: pollsApi,
  officialPolls: officialPollsApi,
  points: pointsApi,
  challenge: challengeApi,
  challengeNow: challengeNowApi,
  challengeDesk: challengeDeskApi,
  submissions: submissionsApi,
  content: contentApi,
  siteContent: siteContentApi,
  missions: missionsApi,
  deskLists: deskListsApi,
  uploads: uploadsApi,
  people: peopleApi,
  exports: exportsApi,
  newsletter: newsletterApi,
  lists: listsApi,
  mail: mailApi,
  adminMail: adminMailApi,
  broadcasts: broadcastsApi,
  privacy: privacyApi,
} as const
