import { Outlet, useRouter, useRouterState } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { usePendingChoice } from '../auth/pending-choice'
import { useHydrated } from '../lib/useHydrated'
import { watchDevice } from '../offline/watch-device'
import { hasSavedPlayback, usePlayback } from '../player/playback-store'
import { lazyOptional, Nothing } from '../ui/lazy'
import { Toaster } from '../ui/Toaster'
import { isAdminPath } from './admin-path'
import { BottomBar } from './BottomBar'
import { NavBar } from './NavBar'
import { PageSkeleton } from './PageSkeleton'
import { Reauthentication } from './Reauthentication'

const PurchaseReturn = lazy(() => import('../checkout/PurchaseReturn').then((m) => ({ default: m.PurchaseReturn })))

const PageChange = lazyOptional(() => import('./PageChange').then((m) => m.PageChange), Nothing)

const AdminShell = lazy(() => import('../admin/lazy-pages').then((m) => ({ default: m.AdminShell })))

/** True after the first client navigation. Before it, the title that the server sent is correct. */
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

// Without the bar, the buttons of the page still control the music.
const PlayerBar = lazyOptional(() => import('../player/PlayerBar').then((m) => m.PlayerBar), Nothing)

/** The docked player; its code loads with the first play, or with the queue of an earlier visit. */
function DockedPlayer() {
  const isInUse = usePlayback().current !== null
  const [hasSaved, setHasSaved] = useState(false)
  useEffect(() => setHasSaved(hasSavedPlayback()), [])
  if (!isInUse && !hasSaved) return null
  return (
    <Suspense>
      <PlayerBar />
    </Suspense>
  )
}

const AppStatus = lazyOptional(() => import('../offline/AppStatus').then((m) => m.AppStatus), Nothing)

/** Loads the status bar once it is needed: offline, for a new version, or with music saved on the device. */
function DeviceStatus() {
  const [isNeeded, setNeeded] = useState(false)
  useEffect(() => watchDevice(() => setNeeded(true)), [])
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
  // The toast of the choice still asks for a login.
  Nothing,
)

/** Lets a visitor sign up for what they chose, and completes it after the login. */
export function SignUpPrompt() {
  const pending = usePendingChoice()
  if (!pending) return null
  return (
    <Suspense>
      <SignUpSheet key={pending.savedAt} choice={pending.choice} isOpen={pending.isOpen} />
    </Suspense>
  )
}

/** The layout of every page. */
export function RootLayout() {
  const isPurchaseReturn = useRouterState({
    select: ({ location: { href } }) => href.startsWith('/?') && /[?&]purchase=success/.test(href),
  })
  const isAdmin = useRouterState({ select: ({ location }) => isAdminPath(location.pathname) })
  // The server renders without the search parameters.
  const showPurchaseReturn = useHydrated() && isPurchaseReturn
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
      {showPurchaseReturn && (
        <Suspense>
          <PurchaseReturn />
        </Suspense>
      )}
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
