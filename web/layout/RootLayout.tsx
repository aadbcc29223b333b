import { Outlet, useRouterState } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useHydrated } from '../lib/useHydrated'
import { Toaster } from '../ui/Toaster'
import { BottomBar } from './BottomBar'
import { NavBar } from './NavBar'

const PurchaseReturn = lazy(() => import('../checkout/PurchaseReturn').then((m) => ({ default: m.PurchaseReturn })))

/** What every screen stands in. */
export function RootLayout() {
  const isPurchaseReturn = useRouterState({
    select: ({ location: { href } }) => href.startsWith('/?') && /[?&]purchase=success/.test(href),
  })
  // The worker drew the page without what its address says.
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
      <Toaster />
    </>
  )
}
