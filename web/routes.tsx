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

const getParentRoute = () => root
const page = <const Path extends string>(path: Path, component: RouteComponent) =>
  createRoute({ getParentRoute, path, component })

async function requireAdmin(match: { context: { queries: QueryClient }; location: { href: string } }): Promise<void> {
  return (await import('./admin/admin-session')).requireAdministrator(match)
}
const adminRoute = { getParentRoute, beforeLoad: requireAdmin }
type AdminPage = keyof typeof import('./admin/lazy-pages')
const adminComponent = (name: AdminPage) => lazyRouteComponent(() => import('./admin/lazy-pages'), name)
const adminPage = <const Path extends string>(path: Path, name: AdminPage) =>
  createRoute({ ...adminRoute, path, component: adminComponent(name) })
const anyAdminSearch = (search: { tab?: string }) => search

// The page validates the return path.
const anyAuthSearch = (search: AuthSearch): AuthSearch => search
const authPage = <const Path extends string>(path: Path) =>
  createRoute({
    getParentRoute,
    path,
    validateSearch: anyAuthSearch,
    component: lazyRouteComponent(() => import('./auth/AuthPage'), 'AuthPage'),
  })

const musicPages = () => import('./releases/lazy-pages')
const merchPages = () => import('./products/lazy-pages')
const hubPages = () => import('./hub/HubPages')
const challengePages = () => import('./challenge/lazy-pages')
const emailLinkPages = () => import('./layout/email-link-pages')

// Pages other than the home page are loaded lazily.
const routes = [
  createRoute({ getParentRoute, path: '/', component: HomePage }),
  page('/music', lazyRouteComponent(musicPages, 'MusicPage')),
  page('/music/$release', lazyRouteComponent(musicPages, 'ReleasePage')),
  page('/music/$release/$track', lazyRouteComponent(musicPages, 'TrackPage')),
  page('/merch', lazyRouteComponent(merchPages, 'MerchPage')),
  page('/merch/$product', lazyRouteComponent(merchPages, 'ProductPage')),
  page(
    '/shows',
    lazyRouteComponent(() => import('./show-page/ShowsPage'), 'ShowsPage'),
  ),
  page(
    '/shows/$show',
    lazyRouteComponent(() => import('./show-page/ShowPage'), 'ShowPage'),
  ),
  page(
    '/community',
    lazyRouteComponent(() => import('./community/CommunityPage'), 'CommunityPage'),
  ),
  page('/hub', lazyRouteComponent(hubPages, 'HubPage')),
  page('/hub/exclusive', lazyRouteComponent(hubPages, 'HubExclusivePage')),
  page('/hub/missions', lazyRouteComponent(hubPages, 'HubMissionsPage')),
  page('/challenge', lazyRouteComponent(challengePages, 'ChallengePage')),
  page('/challenge/confirm', lazyRouteComponent(challengePages, 'ConfirmVersePage')),
  page('/challenge/withdraw', lazyRouteComponent(challengePages, 'WithdrawPage')),
  page('/challenge/$id', lazyRouteComponent(challengePages, 'ChallengeByIdPage')),
  createRoute({
    getParentRoute,
    path: '/subscribe',
    validateSearch: subscribeSearch,
    component: lazyRouteComponent(() => import('./subscriptions/SubscribePage'), 'SubscribePage'),
  }),
  createRoute({
    getParentRoute,
    path: '/checkout',
    validateSearch: parseCheckoutSearch,
    component: lazyRouteComponent(() => import('./checkout/CheckoutPage'), 'CheckoutPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/orders/$id',
    validateSearch: parseOrderSearch,
    component: lazyRouteComponent(() => import('./orders/OrderPage'), 'OrderPage'),
  }),
  authPage('/login'),
  authPage('/auth'),
  authPage('/signup'),
  createRoute({
    getParentRoute,
    path: '/account',
    beforeLoad: requireSupporter,
    component: lazyRouteComponent(() => import('./auth/AccountPage'), 'AccountPage'),
  }),
  page('/verify-email', lazyRouteComponent(emailLinkPages, 'VerifyEmailPage')),
  page('/reset-password', lazyRouteComponent(emailLinkPages, 'ResetPasswordPage')),
  page('/undo-email-change', lazyRouteComponent(emailLinkPages, 'UndoEmailChangePage')),
  page('/newsletter/confirm', lazyRouteComponent(emailLinkPages, 'ConfirmNewsletterPage')),
  page('/newsletter/unsubscribe', lazyRouteComponent(emailLinkPages, 'UnsubscribePage')),
  page('/alerts/confirm', lazyRouteComponent(emailLinkPages, 'ConfirmAlertPage')),
  page('/inquiries/confirm', lazyRouteComponent(emailLinkPages, 'ConfirmInquiryPage')),
  page(
    '/privacy-policy',
    lazyRouteComponent(() => import('./privacy/PrivacyPolicyPage'), 'PrivacyPolicyPage'),
  ),
  page(
    '/csv-link',
    lazyRouteComponent(() => import('./exports/BallotsLinkPage'), 'BallotsLinkPage'),
  ),
  page(
    '/demo/mailbox',
    lazyRouteComponent(() => import('./email/MailboxPage'), 'MailboxPage'),
  ),
  page(
    '/offline',
    lazyRouteComponent(() => import('./offline/OfflinePage'), 'OfflinePage'),
  ),
  page(
    '/admin-login',
    lazyRouteComponent(() => import('./admin/AdminLoginPage'), 'AdminLoginPage'),
  ),
  createRoute({
    ...adminRoute,
    path: '/admin',
    validateSearch: anyAdminSearch,
    component: adminComponent('AdminPage'),
  }),
  createRoute({
    ...adminRoute,
    path: '/golden-verse-admin',
    validateSearch: anyAdminSearch,
    component: adminComponent('ChallengeAdminPage'),
  }),
  adminPage('/verse-submissions', 'VerseSubmissionsPage'),
  adminPage('/csv-download', 'BallotsDownloadPage'),
  adminPage('/download-csv', 'BallotsAutoDownloadPage'),
  adminPage('/admin/shows/$id/door', 'DoorPage'),
  adminPage('/admin/releases/$id', 'ReleasePage'),
  createRoute({
    ...adminRoute,
    path: '/admin/releases/$id/preview',
    validateSearch: ({ track }: { track?: string }) => (typeof track === 'string' ? { track } : {}),
    component: adminComponent('ReleasePreviewPage'),
  }),
] as const
// Within the call, the paths would lose their types.
const routeTree = root.addChildren(routes)

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
