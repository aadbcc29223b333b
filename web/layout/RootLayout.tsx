import { Outlet } from '@tanstack/react-router'
import { Toaster } from '../ui/Toaster'
import { BottomBar } from './BottomBar'
import { NavBar } from './NavBar'

/** What every screen stands in. */
export function RootLayout() {
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
      <Toaster />
    </>
  )
}
