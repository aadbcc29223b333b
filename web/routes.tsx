import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type RouteComponent,
  type RouterHistory,
} from '@tanstack/react-router'
import type { AuthSearch } from './auth/AuthPage'
import { requireSupporter } from './auth/auth.queries'
import { parseCheckoutSearch } from './checkout/search'
import { HomePage } from './home/HomePage'
import { ErrorPage, NotFoundPage } from './layout/ErrorPage'
import { RootLayout } from './layout/RootLayout'
import { parseOrderSearch } from './orders/search'
import { subscribeSearch } from './subscriptions/search'

const root = createRootRouteWithContext<{ queries: QueryClient }>()({
  component: RootLayout,
  notFoundComponent: NotFoundPage,
})

// Pages other than the home page are loaded lazily.
const home = createRoute({ getParentRoute: () => root, path: '/', component: HomePage })
const page = <const Path extends string>(path: Path, component: RouteComponent) =>
  createRoute({ getParentRoute: () => root, path, component })
const subscribe = createRoute({
  getParentRoute: () => root,
  path: '/subscribe',
  validateSearch: subscribeSearch,
  component: lazyRouteComponent(() => import('./subscriptions/SubscribePage'), 'SubscribePage'),
})
const checkout = createRoute({
  getParentRoute: () => root,
  path: '/checkout',
  validateSearch: parseCheckoutSearch,
  component: lazyRouteComponent(() => import('./checkout/CheckoutPage'), 'CheckoutPage'),
})
async function requireAdmin(match: { context: { queries: QueryClient } }): Promise<void> {
  return (await import('./admin/admin-session')).requireAdministrator(match)
}
const adminPage = <Name extends keyof typeof import('./admin/lazy-pages')>(name: Name) =>
  lazyRouteComponent(() => import('./admin/lazy-pages'), name)
const anyAdminSearch = (search: { tab?: string }) => search
const admin = createRoute({
  getParentRoute: () => root,
  path: '/admin',
  validateSearch: anyAdminSearch,
  beforeLoad: requireAdmin,
  component: adminPage('AdminPage'),
})
const adminLogin = page(
  '/admin-login',
  lazyRouteComponent(() => import('./admin/AdminLoginPage'), 'AdminLoginPage'),
)
// The page validates the return path.
const anyAuthSearch = (search: AuthSearch): AuthSearch => search
const authPage = lazyRouteComponent(() => import('./auth/AuthPage'), 'AuthPage')
const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  validateSearch: anyAuthSearch,
  component: authPage,
})
const auth = createRoute({
  getParentRoute: () => root,
  path: '/auth',
  validateSearch: anyAuthSearch,
  component: authPage,
})
const signup = createRoute({
  getParentRoute: () => root,
  path: '/signup',
  validateSearch: anyAuthSearch,
  component: authPage,
})
const privacyPolicy = page(
  '/privacy-policy',
  lazyRouteComponent(() => import('./privacy/PrivacyPolicyPage'), 'PrivacyPolicyPage'),
)
const adminRoute = { getParentRoute: () => root, beforeLoad: requireAdmin }
const verseSubmissions = createRoute({
  ...adminRoute,
  path: '/verse-submissions',
  component: adminPage('VerseSubmissionsPage'),
})
const challengeAdmin = createRoute({
  ...adminRoute,
  path: '/golden-verse-admin',
  validateSearch: anyAdminSearch,
  component: adminPage('ChallengeAdminPage'),
})
const csvDownload = createRoute({
  ...adminRoute,
  path: '/csv-download',
  component: adminPage('CsvDownloadPage'),
})
const downloadCsv = createRoute({
  ...adminRoute,
  path: '/download-csv',
  component: adminPage('DownloadCsvPage'),
})

const shows = page(
  '/shows',
  lazyRouteComponent(() => import('./show-page/ShowsPage'), 'ShowsPage'),
)
const merchPages = () => import('./products/lazy-pages')
const merch = page('/merch', lazyRouteComponent(merchPages, 'MerchPage'))
const merchProduct = page('/merch/$product', lazyRouteComponent(merchPages, 'ProductPage'))
const musicPages = () => import('./releases/lazy-pages')
const music = page('/music', lazyRouteComponent(musicPages, 'MusicPage'))
const musicRelease = page('/music/$release', lazyRouteComponent(musicPages, 'ReleasePage'))
const musicTrack = page('/music/$release/$track', lazyRouteComponent(musicPages, 'TrackPage'))
const show = page(
  '/shows/$show',
  lazyRouteComponent(() => import('./show-page/ShowPage'), 'ShowPage'),
)
const community = page(
  '/community',
  lazyRouteComponent(() => import('./community/CommunityPage'), 'CommunityPage'),
)
const hubPages = () => import('./hub/HubPages')
const hub = page('/hub', lazyRouteComponent(hubPages, 'HubPage'))
const hubExclusive = page('/hub/exclusive', lazyRouteComponent(hubPages, 'HubExclusivePage'))
const hubMissions = page('/hub/missions', lazyRouteComponent(hubPages, 'HubMissionsPage'))
const challengePage = <Name extends keyof typeof import('./challenge/lazy-pages')>(name: Name) =>
  lazyRouteComponent(() => import('./challenge/lazy-pages'), name)
const challenge = page('/challenge', challengePage('ChallengePage'))
const confirmVerse = page('/challenge/confirm', challengePage('ConfirmVersePage'))
const withdrawVerse = page('/challenge/withdraw', challengePage('WithdrawPage'))
const challengeById = page('/challenge/$id', challengePage('ChallengeByIdPage'))
const door = createRoute({
  ...adminRoute,
  path: '/admin/shows/$id/door',
  component: adminPage('DoorPage'),
})
const release = createRoute({
  ...adminRoute,
  path: '/admin/releases/$id',
  component: adminPage('ReleasePage'),
})
const previewSearch = ({ track }: { track?: string }) => (typeof track === 'string' ? { track } : {})
const releasePreview = createRoute({
  ...adminRoute,
  path: '/admin/releases/$id/preview',
  validateSearch: previewSearch,
  component: adminPage('ReleasePreviewPage'),
})
const account = createRoute({
  getParentRoute: () => root,
  path: '/account',
  beforeLoad: requireSupporter,
  component: lazyRouteComponent(() => import('./auth/AccountPage'), 'AccountPage'),
})
const emailLinkPage = <Name extends keyof typeof import('./layout/email-link-pages')>(name: Name) =>
  lazyRouteComponent(() => import('./layout/email-link-pages'), name)
const verifyEmail = page('/verify-email', emailLinkPage('VerifyEmailPage'))
const resetPassword = page('/reset-password', emailLinkPage('ResetPasswordPage'))
const undoEmailChange = page('/undo-email-change', emailLinkPage('UndoEmailChangePage'))
const order = createRoute({
  getParentRoute: () => root,
  path: '/orders/$id',
  validateSearch: parseOrderSearch,
  component: lazyRouteComponent(() => import('./orders/OrderPage'), 'OrderPage'),
})
const confirmNewsletter = page('/newsletter/confirm', emailLinkPage('ConfirmNewsletterPage'))
const mailPreferences = page('/newsletter/unsubscribe', emailLinkPage('UnsubscribePage'))
const confirmAlert = page('/alerts/confirm', emailLinkPage('ConfirmAlertPage'))
const confirmInquiry = page('/inquiries/confirm', emailLinkPage('ConfirmInquiryPage'))
const csvLink = page(
  '/csv-link',
  lazyRouteComponent(() => import('./exports/BallotsLinkPage'), 'BallotsLinkPage'),
)
const mailbox = page(
  '/demo/mailbox',
  lazyRouteComponent(() => import('./email/MailboxPage'), 'MailboxPage'),
)
const offline = page(
  '/offline',
  lazyRouteComponent(() => import('./offline/OfflinePage'), 'OfflinePage'),
)

const routeTree = root.addChildren([
  home,
  subscribe,
  checkout,
  admin,
  adminLogin,
  login,
  auth,
  signup,
  privacyPolicy,
  verseSubmissions,
  challengeAdmin,
  csvDownload,
  downloadCsv,
  shows,
  merch,
  merchProduct,
  music,
  musicRelease,
  musicTrack,
  show,
  community,
  hub,
  hubExclusive,
  hubMissions,
  challenge,
  confirmVerse,
  withdrawVerse,
  challengeById,
  door,
  release,
  releasePreview,
  account,
  verifyEmail,
  resetPassword,
  undoEmailChange,
  order,
  confirmNewsletter,
  mailPreferences,
  confirmAlert,
  confirmInquiry,
  csvLink,
  mailbox,
  offline,
])

/** `history` is given on the server and in tests. */
export function newRouter(queries: QueryClient, history?: RouterHistory) {
  return createRouter({
    routeTree,
    history,
    context: { queries },
    defaultPreload: 'intent',
    defaultErrorComponent: ErrorPage,
    // On the server it would render an inline script, which the content security policy blocks.
    scrollRestoration: !history,
    // Smooth scrolling is for links within a page.
    scrollRestorationBehavior: 'instant',
    // As on the server.
    caseSensitive: true,
    trailingSlash: 'never',
    ...(history && { isServer: true }),
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof newRouter>
  }
}
