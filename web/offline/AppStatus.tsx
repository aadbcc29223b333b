import { useQuery } from '@tanstack/react-query'
import { Link, useRouterState } from '@tanstack/react-router'
import { CloudOff, RefreshCw } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { useMe } from '../auth/auth.queries'
import { allTracks } from '../tracks/tracks.queries'
import { clearOfflineTracks, saveLikedTracks, useOfflineTracks } from './liked-tracks'
import { isCachedPage } from './offline-support'
import { useIsOnline } from './useIsOnline'
import { reloadWith, useWaitingWorker } from './useWaitingWorker'

/**
 * Status bar: says that the device is offline, the page is a cached copy, or a new version is ready. Also saves and
 * deletes offline tracks when likes change.
 */
export function AppStatus() {
  const isOnline = useIsOnline()
  const waitingWorker = useWaitingWorker()
  const hasTracks = useOfflineTracks().tracks.length > 0
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const [cachedPath] = useState(() => (isCachedPage() ? path : null))
  useLikedTracksSync(isOnline)
  const savedMusicLink = hasTracks && path !== '/offline' && (
    <Link to="/offline" className="app-status-action">
      Saved music
    </Link>
  )
  return (
    <div role="status">
      {!isOnline && (
        <Bar icon={CloudOff} text="You’re offline. This page may be out of date.">
          {savedMusicLink}
        </Bar>
      )}
      {isOnline && waitingWorker && (
        <Bar icon={RefreshCw} text="A new version is ready">
          <button type="button" className="app-status-action" onClick={() => reloadWith(waitingWorker)}>
            Reload
          </button>
        </Bar>
      )}
      {isOnline && !waitingWorker && path === cachedPath && (
        <Bar icon={CloudOff} text="This is a saved copy of the page.">
          <button type="button" className="app-status-action" onClick={() => location.reload()}>
            Reload
          </button>
          {savedMusicLink}
        </Bar>
      )}
    </div>
  )
}

type BarProps = { icon: typeof CloudOff; text: string; children: ReactNode }

function Bar({ icon: Icon, text, children }: BarProps) {
  return (
    <div className="app-status">
      <Icon size={20} aria-hidden className="shrink-0 text-gold" />
      <p>{text}</p>
      {children}
    </div>
  )
}

/** If offline tracks are on, saves them when likes change and deletes them when their supporter is not logged in. */
function useLikedTracksSync(isOnline: boolean): void {
  const me = useMe()
  const { userId } = useOfflineTracks()
  // Not fetched here: other components load the tracks.
  const { data: tracks } = useQuery({ ...allTracks, enabled: false })
  const likes = tracks?.flatMap(({ id, liked }) => (liked ? [id] : [])).join()
  const myId = me?.id
  const tier = me?.tier
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the likes change.
  useEffect(() => {
    if (userId === null || me === undefined || !isOnline) return
    if (myId !== userId || !tier) void clearOfflineTracks()
    else void saveLikedTracks(userId, tier)
  }, [userId, myId, tier, me === undefined, isOnline, likes])
}
