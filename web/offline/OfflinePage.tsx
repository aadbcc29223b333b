import { Link, useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'
import { returnPath } from '../../worker/contract/pages'
import { formatDuration } from '../lib/format'
import { usePlayback } from '../player/playback-store'
import { playQueue, togglePlayback } from '../player/player-commands'
import { Button, buttonClass } from '../ui/Button'
import { PlayPauseIcon } from '../ui/PlayPauseIcon'
import { useOfflineTracks } from './liked-tracks'
import { useIsOnline } from './useIsOnline'

const RETRY_INTERVAL_MS = 5000

/** /offline: shown instead of a page that is not cached, with the tracks that are saved on this device. */
export function OfflinePage() {
  const requestedPath = useRouterState({
    select: ({ location }) => returnPath(new URLSearchParams(location.searchStr).get('from')),
  })
  const isOnline = useIsOnline()
  const hasRequestedPage = requestedPath !== '/'
  useEffect(() => {
    if (!isOnline || !hasRequestedPage) return
    // The site may not be reachable yet when the device reports being online.
    const openRequestedPage = () =>
      fetch(requestedPath, { method: 'HEAD' }).then(
        () => location.replace(requestedPath),
        () => undefined,
      )
    void openRequestedPage()
    const timer = setInterval(openRequestedPage, RETRY_INTERVAL_MS)
    return () => clearInterval(timer)
  }, [isOnline, hasRequestedPage, requestedPath])
  const isBackOnline = isOnline && !hasRequestedPage
  return (
    <main id="content" tabIndex={-1} className="page-grid py-16 md:py-24">
      <div className="col-span-full lg:col-span-8">
        <h1 className="font-display text-title">{isBackOnline ? 'You’re online' : 'You’re offline'}</h1>
        <p className="mt-6 max-w-prose text-lg text-muted">
          {isBackOnline
            ? 'The connection is back. Everything is a tap away.'
            : `${hasRequestedPage ? 'This page is not on your device yet. ' : ''}Pages you have visited still open without a connection.`}
        </p>
        <div className="mt-8 flex flex-wrap gap-3">
          <Button variant="primary" onClick={() => location.assign(requestedPath)}>
            {hasRequestedPage ? 'Try again' : 'Go to the home page'}
          </Button>
          {hasRequestedPage && (
            <Link to="/" className={buttonClass('outline')}>
              Home
            </Link>
          )}
        </div>
        <SavedMusic />
      </div>
    </main>
  )
}

function SavedMusic() {
  const { tracks } = useOfflineTracks()
  const { current, isPlaying } = usePlayback()
  if (tracks.length === 0) return null
  return (
    <section aria-labelledby="saved-music" className="mt-14">
      <h2 id="saved-music" className="mb-4 border-t-2 border-gold pt-4 font-display text-xl">
        Saved on this device
      </h2>
      <ul>
        {tracks.map((track, index) => {
          const isTrackPlaying = isPlaying && current?.id === track.id
          return (
            <li key={track.id} className="flex items-center gap-4 border-b border-rule py-3">
              <span className="min-w-0 grow">
                <span className="block font-semibold wrap-anywhere">{track.title}</span>
                <span className="tabular-figures text-sm text-muted">
                  {track.album || 'Single'}, {formatDuration(track.durationSeconds)}
                </span>
              </span>
              <button
                type="button"
                onClick={() => (current?.id === track.id ? togglePlayback() : playQueue(tracks, index))}
                className="round-button shrink-0"
              >
                <PlayPauseIcon isPlaying={isTrackPlaying} size={18} playClassName="ml-0.5" />
                <span className="sr-only">{`${isTrackPlaying ? 'Pause' : 'Play'} ${track.title}`}</span>
              </button>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
