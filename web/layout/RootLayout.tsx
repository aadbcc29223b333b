import { Outlet, useRouter, useRouterState } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { usePendingChoice } from '../auth/pending-choice'
import { useHydrated } from '../lib/useHydrated'
import { startOfflineSupport } from '../offline/offline-support'
import { hasSavedPlayback, usePlayback } from '../player/playback-store'
import { EmptyFallback, lazyOptional } from '../ui/lazy'
import { Toaster } from '../ui/Toaster'
import { isAdminPath } from './admin-path'
import { BottomBar } from './BottomBar'
import { NavBar } from './NavBar'
import { PageSkeleton } from './PageSkeleton'
import { Reauthentication } from './Reauthentication'

const PurchaseReturn = lazy(() => import('../checkout/PurchaseReturn').then((m) => ({ default: m.PurchaseReturn })))

const PageChange = lazyOptional(() => import('./PageChange').then((m) => m.PageChange), EmptyFallback)

const AdminShell = lazy(() => import('../admin/lazy-pages').then((m) => ({ default: m.AdminShell })))

/** True after the first client navigation. Until then, the server's title is correct. */
function useHasNavigated(): boolean {
  const router = useRouter()
  const [hasNavigated, setHasNavigated] = useState(false)
  useEffect(
    () =>
      router.subscribe(
        'onResolved',
        ({ fromLocation, pathChanged }) => fromLocation && pathChanged && setHasNavigated(true),
      ),
    [router],
  )
  return hasNavigated
}

// If the bar's code fails to load, the page's buttons still control playback.
const PlayerBar = lazyOptional(() => import('../player/PlayerBar').then((m) => m.PlayerBar), EmptyFallback)

/** The docked player. Its code loads on the first play, or if a queue of an earlier visit is saved. */
function DockedPlayer() {
  const isInUse = usePlayback().current !== null
  const [hasSavedQueue, setHasSavedQueue] = useState(false)
  useEffect(() => setHasSavedQueue(hasSavedPlayback()), [])
  if (!isInUse && !hasSavedQueue) return null
  return (
    <Suspense>
      <PlayerBar />
    </Suspense>
  )
}

const AppStatus = lazyOptional(() => import('../offline/AppStatus').then((m) => m.AppStatus), EmptyFallback)

/** Loads the status bar when it is needed: offline, for a cached page or new version, or with tracks on the device. */
function DeviceStatus() {
  const [isNeeded, setIsNeeded] = useState(false)
  useEffect(() => startOfflineSupport(() => setIsNeeded(true)), [])
  return (
    isNeeded && (
      <Suspense>
        <AppStatus />
      </Suspense>
    )
  )
}

const SignUpSheet = lazyOptional(
  () => import('../auth/SignUpSheet').then((m) => m.SignUpSheet),
  // If the sheet's code fails to load, the toast still asks for a login.
  EmptyFallback,
)

/** Opens the sign-up sheet for a visitor's choice, and completes the choice after the login. */
export function SignUpPrompt() {
  const pendingChoice = usePendingChoice()
  if (!pendingChoice) return null
  return (
    <Suspense>
      <SignUpSheet key={pendingChoice.savedAt} choice={pendingChoice.choice} isOpen={pendingChoice.isOpen} />
    </Suspense>
  )
}

/** Handles the return from a bank's page after hydration: the server renders without search parameters. */
function PurchaseReturnOnClient() {
  const isPurchaseReturn = useRouterState({
    select: ({ location: { href } }) => href.startsWith('/?') && /[?&]purchase=success/.test(href),
  })
  if (!useHydrated() || !isPurchaseReturn) return null
  return (
    <Suspense>
      <PurchaseReturn />
    </Suspense>
  )
}

/** The layout of every page. */
export function RootLayout() {
  const isAdmin = useRouterState({ select: ({ location }) => isAdminPath(location.pathname) })
  const hasNavigated = useHasNavigated()
  return (
    <>
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:bg-background focus:p-4"
      >
        Skip to content
      </a>
      {isAdmin ? (
        <Suspense fallback={<PageSkeleton />}>
          <AdminShell>
            <Outlet />
          </AdminShell>
        </Suspense>
      ) : (
        <>
          <NavBar />
          <Outlet />
        </>
      )}
      <DockedPlayer />
      <DeviceStatus />
      {!isAdmin && <BottomBar />}
      <PurchaseReturnOnClient />
      {hasNavigated && (
        <Suspense>
          <PageChange />
        </Suspense>
      )}
      <Reauthentication />
      <SignUpPrompt />
      <Toaster />
    </>
  )
}
