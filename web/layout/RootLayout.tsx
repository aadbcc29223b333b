import { Outlet, useRouterState } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useHydrated } from '../lib/useHydrated'
import { useToasts } from '../ui/toast'
import { BottomBar } from './BottomBar'
import { NavBar } from './NavBar'
import { Reauthentication } from './Reauthentication'

const PurchaseReturn = lazy(() => import('../checkout/PurchaseReturn').then((m) => ({ default: m.PurchaseReturn })))

/** The layout of every page. */
export function RootLayout() {
  const isPurchaseReturn = useRouterState({
    select: ({ location: { href } }) => href.startsWith('/?') && /[?&]purchase=success/.test(href),
  })
  // The server renders without the search parameters.
  const showPurchaseReturn = useHydrated() && isPurchaseReturn
  return (
    <>
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:bg-ground focus:p-4"
      >
        Skip to content
      </a>
      <NavBar />
      <Outlet />
      <BottomBar />
      {showPurchaseReturn && (
        <Suspense>
          <PurchaseReturn />
        </Suspense>
      )}
      <Reauthentication />
      <Toaster />
    </>
  )
}

const ToastViewport = lazy(() => import('../ui/ToastViewport').then((m) => ({ default: m.ToastViewport })))

/** Shows toasts; the viewport's code loads with the first one. */
export function Toaster() {
  const toasts = useToasts()
  if (toasts.length === 0) return null
  return (
    <Suspense>
      <ToastViewport toasts={toasts} />
    </Suspense>
  )
}
