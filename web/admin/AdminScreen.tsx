import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { findScreen } from '../../worker/contract/admin-screens'
import { NotFoundPage } from '../layout/ErrorPage'
import { buttonClass } from '../ui/Button'
import { Skeleton } from '../ui/Skeleton'
import { adminSessionQuery } from './admin-session'
import { ScreenLink } from './ScreenLink'
import { useOpenScreen } from './screen-location'
import { ScreenTitleContext } from './screen-title'
import { SCREEN_VIEWS } from './screens'

/** /admin and the paths below it: the heading and content of a screen. */
export function AdminScreen() {
  const { data: session } = useQuery(adminSessionQuery)
  const open = useOpenScreen()
  if (!open) return <NotFoundPage />
  const { id, label, roles, parent } = open.screen
  const { Component } = SCREEN_VIEWS[id]
  const isAllowed = !session?.teamRole || roles.includes(session.teamRole)
  return (
    <ScreenTitleContext value={label}>
      <main id="content" tabIndex={-1} className="admin-main">
        {!parent && <h1 className="mb-6 font-display text-2xl md:mb-8">{label}</h1>}
        {isAllowed ? (
          <Suspense fallback={<Skeleton label={`Opening ${label}`} className="h-96" />}>
            <Component key={id} />
          </Suspense>
        ) : (
          <div className="max-w-prose border-l-4 border-gold bg-sleeve p-6">
            <p>Your role does not include this screen. An owner of the site can change your role under Team.</p>
            <ScreenLink screen="home" className={buttonClass('outline', 'mt-5')}>
              Go to the overview
            </ScreenLink>
          </div>
        )}
      </main>
    </ScreenTitleContext>
  )
}

/** Preloads the code of the screen at a path. */
export async function preloadScreen(path: string): Promise<void> {
  const screen = findScreen(path)?.screen
  if (screen) await SCREEN_VIEWS[screen.id].preload()
}
