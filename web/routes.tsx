import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type RouterHistory,
} from '@tanstack/react-router'
import { checkoutSearch } from './checkout/search'
import { HomePage } from './home/HomePage'
import { NotFoundPage } from './layout/NotFoundPage'
import { RootLayout } from './layout/RootLayout'
import { subscribeSearch } from './subscribe/search'

const root = createRootRouteWithContext<{ queries: QueryClient }>()({
  component: RootLayout,
  notFoundComponent: NotFoundPage,
})

// The specification's route table (section 2), in its order. Screens other than the home page are fetched when opened.
const home = createRoute({ getParentRoute: () => root, path: '/', component: HomePage })
const subscribe = createRoute({
  getParentRoute: () => root,
  path: '/subscribe',
  validateSearch: subscribeSearch,
  component: lazyRouteComponent(() => import('./subscribe/SubscribePage'), 'SubscribePage'),
})
const checkout = createRoute({
  getParentRoute: () => root,
  path: '/checkout',
  validateSearch: checkoutSearch,
  component: lazyRouteComponent(() => import('./checkout/CheckoutPage'), 'CheckoutPage'),
})
const privacyPolicy = createRoute({
  getParentRoute: () => root,
  path: '/privacy-policy',
  component: lazyRouteComponent(() => import('./privacy/PrivacyPolicyPage'), 'PrivacyPolicyPage'),
})

const routeTree = root.addChildren([home, subscribe, checkout, privacyPolicy])

/** A router over the route table. `history` is given where there is no browser: on the server and in tests. */
export function newRouter(queries: QueryClient, history?: RouterHistory) {
  return createRouter({
    routeTree,
    history,
    context: { queries },
    defaultPreload: 'intent',
    scrollRestoration: true,
    trailingSlash: 'never',
    ...(history && { isServer: true }),
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof newRouter>
  }
}
