import '../styles/utilities.css'
import '../styles/admin.css'
import { useQuery } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { findScreen, type ScreenId } from '../../worker/contract/admin-screens'
import { AdminBottomBar } from './AdminBottomBar'
import { AdminSidebar } from './AdminSidebar'
import { AdminTopBar } from './AdminTopBar'
import { adminSessionQuery, useAdminSessionExpiry } from './admin-session'

/** Pages without the dashboard's navigation: the door page and the preview of a release. */
const FULL_SCREEN_PATH = /^\/admin\/(shows\/[^/]+\/door|releases\/[^/]+\/preview)$/

/** Screens that pages outside `/admin` belong to, by the start of the page's path. */
const SCREENS_OF_PAGES: readonly (readonly [string, ScreenId])[] = [
  ['/verse-submissions', 'challenge'],
  ['/golden-verse-admin', 'challenge'],
  ['/csv-download', 'challenge'],
  ['/download-csv', 'challenge'],
]

/** The screen to highlight in the sidebar. */
function currentScreen(path: string): ScreenId | null {
  const screen = findScreen(path)?.screen
  if (screen) return (screen.parent as ScreenId | undefined) ?? screen.id
  return SCREENS_OF_PAGES.find(([prefix]) => path.startsWith(prefix))?.[1] ?? null
}

/** The dashboard's navigation around a page. Full-screen pages, and pages without a loaded session, have none. */
export function AdminShell({ children }: { children: ReactNode }) {
  // The route guard loads the session first; without one, this query must not fetch.
  const { data: session, dataUpdatedAt } = useQuery({
    ...adminSessionQuery,
    enabled: ({ state }) => state.data !== undefined,
  })
  const path = useRouterState({ select: ({ location }) => location.pathname })
  useAdminSessionExpiry(session)
  if (!session || FULL_SCREEN_PATH.test(path)) return <div className="admin-bare">{children}</div>
  const current = currentScreen(path)
  const role = session.teamRole
  return (
    <div className="admin-shell">
      <AdminTopBar session={session} readAt={dataUpdatedAt} />
      <AdminSidebar role={role} current={current} />
      <div className="min-w-0">{children}</div>
      <AdminBottomBar role={role} current={current} />
    </div>
  )
}
