import { Outlet, useRouter, useRouterState } from '@tanstack/react-router'
import { type ComponentType, lazy, Suspense, useEffect, useState } from 'react'
import { usePendingChoice } from '../auth/pending-choice'
import { useHydrated } from '../lib/useHydrated'
import { watchDevice } from '../offline/watch-device'
import { hasSavedPlayback, usePlayback } from '../player/player-store'
import { useToasts } from '../ui/toast'
import { BottomBar } from './BottomBar'
import { NavBar } from './NavBar'
import { Reauthentication } from './Reauthentication'

const PurchaseReturn = lazy(() => import('../checkout/PurchaseReturn').then((m) => ({ default: m.PurchaseReturn })))

const PageChange = lazy(() => import('./PageChange').then((m) => ({ default: m.PageChange })))

/** True once the visitor has left the page that the server sent, whose head is right. */
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

const PlayerBar = lazy(() => import('../player/PlayerBar').then((m) => ({ default: m.PlayerBar })))

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

// A device that goes offline on its first visit cannot load it: the page continues without the notice.
const AppStatus = lazy(async (): Promise<{ default: ComponentType }> => {
  try {
    return { default: (await import('../offline/AppStatus')).AppStatus }
  } catch {
    return { default: () => null }
  }
})

/** Whether the device is offline, a new version is ready, and saved music; loaded once one of them matters. */
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

const SignUpSheet = lazy(() => import('../auth/SignUpSheet').then((m) => ({ default: m.SignUpSheet })))

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
  // The server renders without the search parameters.
  const showPurchaseReturn = useHydrated() && isPurchaseReturn
  const hasNavigated = useHasNavigated()
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
      <DockedPlayer />
      <DeviceStatus />
      <BottomBar />
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

const ToastViewport = lazy(() => import('../ui/ToastViewport').then((m) => ({ default: m.ToastViewport })))

/** Shows toasts; the viewport's code loads with the first one. */
export function Toaster() {
  const toasts = useToasts()
  return (
    // A dialog that opens before the first toast hides everything else from screen readers, but nothing with this attribute.
    <div aria-live="off">
      {toasts.length > 0 && (
        <Suspense>
          <ToastViewport toasts={toasts} />
        </Suspense>
      )}
    </div>
  )
}
