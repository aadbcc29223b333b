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
import { currentChallengeState, hallOfFame } from './challenge/hall-of-fame.queries'
import { upcomingConcerts } from './concerts/concerts.queries'
import { HomePage } from './home/HomePage'
import { ErrorPage, NotFoundPage } from './layout/ErrorPage'
import { PageSkeleton } from './layout/PageSkeleton'
import { RootLayout } from './layout/RootLayout'
import { viewTransition } from './layout/view-transition'
import { activePolls } from './polls/polls.queries'
import { allProducts, physicalProducts } from './products/products.queries'
import { parseCheckoutSearch, parseOrderSearch, parseSubscribeSearch } from './search-params'
import { allTracks } from './tracks/tracks.queries'

const rootRoute = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: RootLayout,
  notFoundComponent: NotFoundPage,
})

const getParentRoute = () => rootRoute
type Context = { queryClient: QueryClient }

/**
 * Loads a page's code, then starts its requests without waiting for them: pages show what is loading or has failed.
 * Navigation waits for the code, because the router would otherwise show no skeleton after a preload.
 */
async function loadPage<Code>(load: () => Promise<Code>, preload: (code: Code) => Promise<unknown>) {
  void preload(await load()).catch(() => undefined)
}
const createPageRoute = <const Path extends string>(
  path: Path,
  component: RouteComponent,
  load?: (queryClient: QueryClient) => Promise<void>,
) =>
  createRoute({
    getParentRoute,
    path,
    component,
    ...(load && { loader: ({ context }: { context: Context }) => load(context.queryClient) }),
  })

/** Route guard of the dashboard. Preloads skip it, because they must not report an expired session. */
async function requireAdmin(match: {
  context: Context
  location: { href: string; pathname: string; search: object }
  preload: boolean
}): Promise<void> {
  if (!match.preload) await (await import('./admin/admin-session')).requireAdministrator(match)
}
const adminRoute = { getParentRoute, beforeLoad: requireAdmin }
type AdminPage = Exclude<keyof typeof import('./admin/lazy-pages'), 'AdminShell' | 'preloadScreen'>
const adminComponent = (name: AdminPage) => lazyRouteComponent(() => import('./admin/lazy-pages'), name)
const createAdminPageRoute = <const Path extends string>(path: Path, name: AdminPage) =>
  createRoute({ ...adminRoute, path, component: adminComponent(name) })
/** Accepts all search parameters: each screen parses its own. */
const anySearch = (search: Record<string, unknown>): { [name: string]: unknown } => search
const createAdminScreenRoute = <const Path extends string>(path: Path) =>
  createRoute({
    ...adminRoute,
    path,
    validateSearch: anySearch,
    component: adminComponent('AdminScreen'),
    loader: ({ location }) => import('./admin/lazy-pages').then((code) => code.preloadScreen(location.pathname)),
  })

// The page validates the return path.
const anyAuthSearch = (search: AuthSearch): AuthSearch => search
const createAuthPageRoute = <const Path extends string>(path: Path) =>
  createRoute({
    getParentRoute,
    path,
    validateSearch: anyAuthSearch,
    component: lazyRouteComponent(() => import('./auth/AuthPage'), 'AuthPage'),
  })

const musicPages = () => import('./releases/lazy-pages')
const merchPages = () => import('./products/lazy-pages')
const showsPage = () => import('./show-page/ShowsPage')
const showPage = () => import('./show-page/ShowPage')
const communityPage = () => import('./community/CommunityPage')
const legalPage = () => import('./site/LegalPage')
const hubPages = () => import('./hub/HubPages')
const challengePages = () => import('./challenge/lazy-pages')
const emailLinkPages = () => import('./layout/email-link-pages')

// Pages other than the home page are loaded lazily.
const routes = [
  createPageRoute('/', HomePage, async (queryClient) => {
    void Promise.allSettled([
      queryClient.ensureQueryData(allTracks),
      queryClient.ensureQueryData(physicalProducts),
      queryClient.ensureQueryData(upcomingConcerts),
      queryClient.ensureQueryData(activePolls),
      queryClient.ensureQueryData(hallOfFame),
      queryClient.ensureQueryData(currentChallengeState),
    ])
  }),
  createPageRoute('/music', lazyRouteComponent(musicPages, 'MusicPage'), (queryClient) =>
    loadPage(musicPages, (code) => code.preloadReleases(queryClient)),
  ),
  createRoute({
    getParentRoute,
    path: '/music/$release',
    component: lazyRouteComponent(musicPages, 'ReleasePage'),
    loader: ({ context, params }) =>
      loadPage(musicPages, (code) => code.preloadRelease(context.queryClient, params.release)),
  }),
  createRoute({
    getParentRoute,
    path: '/music/$release/$track',
    component: lazyRouteComponent(musicPages, 'TrackPage'),
    loader: ({ context, params }) =>
      loadPage(musicPages, (code) => code.preloadRelease(context.queryClient, params.release)),
  }),
  createPageRoute('/merch', lazyRouteComponent(merchPages, 'MerchPage'), (queryClient) =>
    loadPage(merchPages, () => queryClient.ensureQueryData(allProducts)),
  ),
  createPageRoute('/merch/$product', lazyRouteComponent(merchPages, 'ProductPage'), (queryClient) =>
    loadPage(merchPages, (code) => code.preloadProductPage(queryClient)),
  ),
  createPageRoute('/shows', lazyRouteComponent(showsPage, 'ShowsPage'), (queryClient) =>
    loadPage(showsPage, (code) => code.preloadShows(queryClient)),
  ),
  createRoute({
    getParentRoute,
    path: '/shows/$show',
    component: lazyRouteComponent(showPage, 'ShowPage'),
    loader: ({ context, params }) => loadPage(showPage, (code) => code.preloadShow(context.queryClient, params.show)),
  }),
  createPageRoute('/community', lazyRouteComponent(communityPage, 'CommunityPage'), (queryClient) =>
    loadPage(communityPage, (code) => code.preloadCommunity(queryClient)),
  ),
  createPageRoute('/hub', lazyRouteComponent(hubPages, 'HubPage'), (queryClient) =>
    loadPage(hubPages, (code) => code.preloadHub(queryClient)),
  ),
  createPageRoute('/hub/exclusive', lazyRouteComponent(hubPages, 'HubExclusivePage'), (queryClient) =>
    loadPage(hubPages, (code) => code.preloadExclusivePosts(queryClient)),
  ),
  createPageRoute('/hub/missions', lazyRouteComponent(hubPages, 'HubMissionsPage'), (queryClient) =>
    loadPage(hubPages, (code) => code.preloadMissions(queryClient)),
  ),
  createPageRoute('/challenge', lazyRouteComponent(challengePages, 'ChallengePage'), (queryClient) =>
    loadPage(challengePages, (code) => code.preloadCurrentChallenge(queryClient)),
  ),
  createPageRoute('/challenge/confirm', lazyRouteComponent(challengePages, 'ConfirmVersePage')),
  createPageRoute('/challenge/withdraw', lazyRouteComponent(challengePages, 'WithdrawVersePage')),
  createRoute({
    getParentRoute,
    path: '/challenge/$id',
    component: lazyRouteComponent(challengePages, 'ChallengeByIdPage'),
    loader: ({ context, params }) =>
      loadPage(challengePages, (code) => code.preloadChallenge(context.queryClient, params.id)),
  }),
  createRoute({
    getParentRoute,
    path: '/subscribe',
    validateSearch: parseSubscribeSearch,
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
  createAuthPageRoute('/login'),
  createAuthPageRoute('/auth'),
  createAuthPageRoute('/signup'),
  createRoute({
    getParentRoute,
    path: '/account',
    beforeLoad: requireSupporter,
    component: lazyRouteComponent(() => import('./auth/AccountPage'), 'AccountPage'),
  }),
  createPageRoute('/verify-email', lazyRouteComponent(emailLinkPages, 'VerifyEmailPage')),
  createPageRoute('/reset-password', lazyRouteComponent(emailLinkPages, 'ResetPasswordPage')),
  createPageRoute('/undo-email-change', lazyRouteComponent(emailLinkPages, 'UndoEmailChangePage')),
  createPageRoute('/newsletter/confirm', lazyRouteComponent(emailLinkPages, 'ConfirmNewsletterPage')),
  createPageRoute('/newsletter/unsubscribe', lazyRouteComponent(emailLinkPages, 'UnsubscribePage')),
  createPageRoute('/alerts/confirm', lazyRouteComponent(emailLinkPages, 'ConfirmAlertPage')),
  createPageRoute('/stock-alerts/confirm', lazyRouteComponent(emailLinkPages, 'ConfirmStockAlertPage')),
  createPageRoute('/inquiries/confirm', lazyRouteComponent(emailLinkPages, 'ConfirmInquiryPage')),
  createPageRoute(
    '/privacy-policy',
    lazyRouteComponent(() => import('./privacy/PrivacyPolicyPage'), 'PrivacyPolicyPage'),
  ),
  createPageRoute(
    '/developers',
    lazyRouteComponent(() => import('./developers/DevelopersPage'), 'DevelopersPage'),
  ),
  createRoute({
    getParentRoute,
    path: '/legal/$id',
    component: lazyRouteComponent(legalPage, 'LegalPage'),
    loader: ({ context, params }) =>
      loadPage(legalPage, (code) => code.preloadLegalText(context.queryClient, params.id)),
  }),
  createPageRoute(
    '/redeem',
    lazyRouteComponent(() => import('./downloads/RedeemPage'), 'RedeemPage'),
  ),
  createPageRoute(
    '/csv-link',
    lazyRouteComponent(() => import('./exports/BallotsLinkPage'), 'BallotsLinkPage'),
  ),
  createPageRoute(
    '/demo/mailbox',
    lazyRouteComponent(() => import('./email/MailboxPage'), 'MailboxPage'),
  ),
  createPageRoute(
    '/offline',
    lazyRouteComponent(() => import('./offline/OfflinePage'), 'OfflinePage'),
  ),
  createPageRoute(
    '/admin-login',
    lazyRouteComponent(() => import('./admin/AdminLoginPage'), 'AdminLoginPage'),
  ),
  createAdminScreenRoute('/admin'),
  createAdminScreenRoute('/admin/$'),
  createRoute({
    ...adminRoute,
    path: '/golden-verse-admin',
    validateSearch: anySearch,
    component: adminComponent('ChallengeAdminPage'),
  }),
  createAdminPageRoute('/verse-submissions', 'VerseSubmissionsPage'),
  createAdminPageRoute('/csv-download', 'BallotsDownloadPage'),
  createAdminPageRoute('/download-csv', 'BallotsAutoDownloadPage'),
  createAdminPageRoute('/admin/shows/$id/door', 'DoorPage'),
  createRoute({
    ...adminRoute,
    path: '/admin/releases/$id/preview',
    validateSearch: ({ track }: { track?: string }) => (typeof track === 'string' ? { track } : {}),
    component: adminComponent('ReleasePreviewPage'),
  }),
] as const
// `routes` is a separate constant, because inside this call the paths would lose their types.
const routeTree = rootRoute.addChildren(routes)

/** Whether the browser reports that its data saver is on. */
const isDataSaverOn = () =>
  Boolean((globalThis.navigator as { connection?: { saveData?: boolean } } | undefined)?.connection?.saveData)

/** `history` is given on the server and in tests. */
export function newRouter(queryClient: QueryClient, history?: RouterHistory) {
  return createRouter({
    routeTree,
    history,
    context: { queryClient },
    defaultPreload: isDataSaverOn() ? false : 'intent',
    defaultPendingComponent: PageSkeleton,
    // Content that is loaded within this time appears without a skeleton.
    defaultPendingMs: 30,
    defaultPendingMinMs: 0,
    defaultErrorComponent: ErrorPage,
    defaultViewTransition: viewTransition(),
    // On the server, scroll restoration would render an inline script, which the content security policy blocks.
    scrollRestoration: !history,
    // Smooth scrolling is for links within a page.
    scrollRestorationBehavior: 'instant',
    // The worker matches paths in the same way.
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
