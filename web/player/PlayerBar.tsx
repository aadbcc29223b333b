import { Link, useRouterState } from '@tanstack/react-router'
import { Ellipsis, ListMusic, Moon, SkipBack, SkipForward } from 'lucide-react'
import { type ReactNode, Suspense, useEffect, useState } from 'react'
import { resizedImageUrl } from '../../worker/contract/images'
import { useMe } from '../auth/auth.queries'
import { isAdminPath } from '../layout/admin-path'
import { formatDuration } from '../lib/format'
import { buildStreamReport } from '../tracks/listening'
import { useStreamReport } from '../tracks/tracks.queries'
import { Dialog } from '../ui/Dialog'
import { lazyDialog } from '../ui/lazy'
import { PlayPauseIcon } from '../ui/PlayPauseIcon'
import { Range } from '../ui/Range'
import { ResponsiveImage } from '../ui/ResponsiveImage'
import { getPlayback, type PlaybackState, usePlayback } from './playback-store'
import { pausePlayback, playAt, playNext, playPrevious, seekTo, togglePlayback } from './player-commands'
import { setStreamReporter } from './player-engine'
import { restoreSavedPlayback, startSavingPlayback } from './saved-playback'
import { VolumeControl } from './VolumeControl'

const PlayerMenu = lazyDialog(() => import('./PlayerMenu').then((m) => m.PlayerMenu))

const hidesPlayer = (path: string) => isAdminPath(path) || path === '/admin-login'

/** The player, docked to the bottom of every public page after the first play. */
export function PlayerBar() {
  const playback = usePlayback()
  const isHidden = useRouterState({ select: ({ location }) => hidesPlayer(location.pathname) })
  useEffect(restoreSavedPlayback, [])
  useEffect(startSavingPlayback, [])
  useEffect(() => {
    if (isHidden) pausePlayback()
  }, [isHidden])
  useReportStreams()
  useSpaceKey()
  useMediaSession(playback)
  return playback.current && !isHidden ? <Bar playback={playback} current={playback.current} /> : null
}

type BarProps = { playback: PlaybackState; current: NonNullable<PlaybackState['current']> }

function Bar({ playback, current }: BarProps) {
  const { queue, index, isPlaying, timeSeconds, durationSeconds } = playback
  const [isQueueOpen, setIsQueueOpen] = useState(false)
  const [isMenuOpen, setIsMenuOpen] = useState(false)
  return (
    <section aria-label="Player" className="player-bar">
      <div className="player-bar-content">
        <ResponsiveImage src={current.coverUrl} alt="" sizes="3rem" largest={320} className="player-bar-cover" />
        <div className="player-bar-title">
          <p className="truncate font-semibold">
            {current.href ? (
              <Link to={current.href} className="flex min-h-6 items-center hover:text-gold-bright">
                <span className="truncate">{current.title}</span>
              </Link>
            ) : (
              current.title
            )}
          </p>
          <p role="status" className="truncate text-sm text-muted">
            <StatusLine playback={playback} current={current} />
          </p>
        </div>
        <div className="player-bar-buttons">
          <IconButton label="Previous" onClick={playPrevious}>
            <SkipBack size={20} fill="currentColor" aria-hidden />
          </IconButton>
          <button
            type="button"
            aria-label={isPlaying ? 'Pause' : 'Play'}
            onClick={togglePlayback}
            className="grid size-12 place-items-center rounded-full border border-transparent bg-gold text-background hover:bg-gold-bright"
          >
            <PlayPauseIcon isPlaying={isPlaying} size={22} playClassName="ml-0.5" />
          </button>
          <IconButton label="Next" onClick={playNext} isDisabled={index >= queue.length - 1}>
            <SkipForward size={20} fill="currentColor" aria-hidden />
          </IconButton>
        </div>
        <div className="player-bar-seek tabular-figures">
          <span>{formatDuration(timeSeconds)}</span>
          <Range
            label="Seek"
            value={timeSeconds}
            valueText={formatDuration(timeSeconds)}
            max={durationSeconds}
            step={1}
            onValueChange={seekTo}
          />
          <span>{formatDuration(Math.round(durationSeconds))}</span>
        </div>
        <div className="player-bar-volume">
          <VolumeControl />
        </div>
        <div className="player-bar-queue">
          <IconButton label="Queue" onClick={() => setIsQueueOpen(true)} hasDialog>
            <ListMusic size={22} aria-hidden />
          </IconButton>
        </div>
        <div className="player-bar-more">
          <IconButton label="More" onClick={() => setIsMenuOpen(true)} hasDialog>
            <Ellipsis size={22} aria-hidden />
          </IconButton>
        </div>
      </div>
      {isQueueOpen && <QueueDialog playback={playback} onClose={() => setIsQueueOpen(false)} />}
      {isMenuOpen && (
        <Suspense>
          <PlayerMenu playback={playback} current={current} onClose={() => setIsMenuOpen(false)} />
        </Suspense>
      )}
    </section>
  )
}

function StatusLine({ playback: { status, stopAfter }, current }: BarProps) {
  if (status === 'failed') return 'Could not be loaded'
  if (stopAfter === null) return current.artist
  return (
    <>
      <Moon size={14} aria-hidden className="mr-1.5 inline text-gold" />
      Stops after <span className="max-lg:sr-only">this </span>
      {stopAfter}
    </>
  )
}

type IconButtonProps = {
  label: string
  onClick: () => void
  isDisabled?: boolean
  hasDialog?: boolean
  children: ReactNode
}

/** A button that stays focusable while disabled, so that Next does not lose the focus at the last track. */
function IconButton({ label, onClick, isDisabled = false, hasDialog = false, children }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      aria-disabled={isDisabled || undefined}
      aria-haspopup={hasDialog ? 'dialog' : undefined}
      onClick={onClick}
      className="grid size-12 shrink-0 place-items-center text-ivory hover:text-gold-bright aria-disabled:text-muted aria-disabled:opacity-60"
    >
      {children}
    </button>
  )
}

function QueueDialog({ playback, onClose }: Pick<BarProps, 'playback'> & { onClose: () => void }) {
  return (
    <Dialog title="Queue" onClose={onClose}>
      <div className="p-6 md:p-8">
        <p aria-hidden="true" className="mb-4 font-display text-2xl">
          Queue
        </p>
        <ol aria-label="Queue">
          {playback.queue.map((track, position) => (
            <li key={track.id} className="border-t border-rule">
              <button
                type="button"
                aria-current={position === playback.index || undefined}
                onClick={() => playAt(position)}
                className="flex min-h-14 w-full items-center gap-4 py-2 text-left hover:text-gold-bright aria-[current]:text-gold-bright"
              >
                <span className="tabular-figures w-6 shrink-0 text-muted">{position + 1}</span>
                <span className="min-w-0 grow">
                  <span className="block truncate font-semibold">{track.title}</span>
                  <span className="block truncate text-sm text-muted">{track.album || 'Single'}</span>
                </span>
                <span className="tabular-figures shrink-0 text-sm text-muted">
                  {formatDuration(track.durationSeconds)}
                </span>
              </button>
            </li>
          ))}
        </ol>
      </div>
    </Dialog>
  )
}

/** Reports each listen that counts as a stream and shows what it earned. */
function useReportStreams(): void {
  const tier = useMe()?.tier ?? 'bronze'
  const { mutateAsync } = useStreamReport()
  useEffect(() => setStreamReporter(({ id }) => mutateAsync(buildStreamReport(id, tier))), [mutateAsync, tier])
}

const FOCUSABLE_CONTROLS =
  'a[href], button, input, select, textarea, summary, audio, video, [contenteditable], [role=dialog], ' +
  '[tabindex]:not([tabindex="-1"])'

/** Space plays and pauses unless a control has the focus. */
function useSpaceKey(): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const hasModifier = event.ctrlKey || event.metaKey || event.altKey || event.shiftKey
      if (event.key !== ' ' || event.defaultPrevented || hasModifier) return
      if (event.target instanceof Element && event.target.closest(FOCUSABLE_CONTROLS)) return
      event.preventDefault()
      if (!event.repeat) togglePlayback()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}

/** Connects media keys and the lock screen to the player. */
function useMediaSession({ current, index, queue, isPlaying, timeSeconds, durationSeconds }: PlaybackState): void {
  const isLast = index >= queue.length - 1
  useEffect(() => {
    const session = navigator.mediaSession
    if (!session || !current) return
    session.metadata = new MediaMetadata({
      title: current.title,
      artist: current.artist,
      album: current.album || 'Single',
      artwork: [{ src: resizedImageUrl(current.coverUrl, 320), sizes: '320x320' }, { src: current.coverUrl }],
    })
    session.setActionHandler('play', () => getPlayback().isPlaying || togglePlayback())
    session.setActionHandler('pause', pausePlayback)
    session.setActionHandler('stop', pausePlayback)
    session.setActionHandler('previoustrack', playPrevious)
    session.setActionHandler('nexttrack', isLast ? null : playNext)
    session.setActionHandler('seekto', ({ seekTime }) => seekTime !== undefined && seekTo(seekTime))
  }, [current, isLast])
  // The lock screen advances the time itself; an update every second makes it follow seeks.
  const wholeSeconds = Math.floor(timeSeconds)
  useEffect(() => {
    const session = navigator.mediaSession
    if (!session || !current) return
    session.playbackState = isPlaying ? 'playing' : 'paused'
    if (durationSeconds > 0)
      session.setPositionState({
        duration: durationSeconds,
        position: Math.min(wholeSeconds, durationSeconds),
        playbackRate: 1,
      })
  }, [current, isPlaying, durationSeconds, wholeSeconds])
}
