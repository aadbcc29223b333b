import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Heart, Lock } from 'lucide-react'
import type { Track } from '../../worker/contract/tracks'
import { useMe, useRefetchPersonalized } from '../auth/auth.queries'
import { formatDuration } from '../lib/format'
import { OfflineSwitch } from '../offline/OfflineSwitch'
import { usePlayback } from '../player/playback-store'
import { playQueue, togglePlayback } from '../player/player-commands'
import { Button } from '../ui/Button'
import { useRestoreFocus } from '../ui/focus'
import { PlayPauseIcon } from '../ui/PlayPauseIcon'
import { QueryBoundary } from '../ui/QueryBoundary'
import { ResponsiveImage } from '../ui/ResponsiveImage'
import { toggleLike } from './like'
import { isUnlocked, toQueueTrack } from './playable-track'
import { useTracks } from './tracks.queries'

/** The supporter's liked tracks; rendered for supporters only. */
export function Favorites() {
  useRefetchPersonalized()
  return (
    <div tabIndex={-1}>
      <QueryBoundary
        query={useTracks()}
        loading={{ className: 'h-40', label: 'Loading your favorites' }}
        error="Your favorites could not be loaded."
      >
        {(tracks) => <FavoriteList tracks={tracks.filter(({ liked }) => liked)} />}
      </QueryBoundary>
      <OfflineSwitch />
    </div>
  )
}

function FavoriteList({ tracks }: { tracks: readonly Track[] }) {
  const tier = useMe()?.tier ?? 'bronze'
  const { current, isPlaying } = usePlayback()
  const queue = tracks.filter((track) => track.hasAudio && isUnlocked(track, tier)).map(toQueueTrack)
  const isQueuePlaying = isPlaying && queue.some(({ id }) => id === current?.id)
  const toggle = (id: number) =>
    current?.id === id
      ? togglePlayback()
      : playQueue(
          queue,
          queue.findIndex((track) => track.id === id),
        )

  if (tracks.length === 0)
    return <p className="text-muted">Nothing here yet. Press the heart beside a track, and it is saved here.</p>
  return (
    <>
      {queue.length > 0 && (
        <Button variant="primary" onClick={() => (isQueuePlaying ? togglePlayback() : playQueue(queue, 0))}>
          <PlayPauseIcon isPlaying={isQueuePlaying} size={18} />
          {isQueuePlaying ? 'Pause' : 'Play all'}
        </Button>
      )}
      <ul className="mt-6 max-w-3xl">
        {tracks.map((track) => (
          <FavoriteRow
            key={track.id}
            track={track}
            isLocked={!isUnlocked(track, tier)}
            isPlaying={isPlaying && current?.id === track.id}
            onToggle={toggle}
          />
        ))}
      </ul>
    </>
  )
}

type RowProps = { track: Track; isLocked: boolean; isPlaying: boolean; onToggle: (id: number) => void }

function FavoriteRow({ track, isLocked, isPlaying, onToggle }: RowProps) {
  const queryClient = useQueryClient()
  const { ref, isLeaving } = useRestoreFocus<HTMLLIElement>()
  const { id, title, slug, releaseSlug, album, duration, coverUrl, hasAudio } = track
  return (
    <li ref={ref} className="flex items-center gap-3 border-b border-rule py-3 first:border-t md:gap-5">
      <ResponsiveImage src={coverUrl} alt="" sizes="4rem" className="size-14 md:size-16" />
      <p className="min-w-0 grow leading-tight">
        {releaseSlug ? (
          <Link
            to="/music/$release/$track"
            params={{ release: releaseSlug, track: slug }}
            className="line-clamp-2 font-semibold wrap-anywhere hover:text-gold-bright"
          >
            {title}
          </Link>
        ) : (
          <span className="line-clamp-2 font-semibold wrap-anywhere">{title}</span>
        )}
        <span className="tabular-figures mt-1 block text-sm text-muted">
          {album || 'Single'}, {formatDuration(duration)}
        </span>
      </p>
      {isLocked ? (
        <Link to="/subscribe" search={{ tier: 'silver' }} className="round-button shrink-0 text-gold">
          <Lock size={18} aria-hidden />
          <span className="sr-only">{`${title} is for Silver and Gold: see the tiers`}</span>
        </Link>
      ) : (
        hasAudio && (
          <button type="button" onClick={() => onToggle(id)} className="round-button shrink-0">
            <PlayPauseIcon isPlaying={isPlaying} size={18} playClassName="ml-0.5" />
            <span className="sr-only">{`${isPlaying ? 'Pause' : 'Play'} ${title}`}</span>
          </button>
        )
      )}
      <button
        type="button"
        onClick={() => {
          isLeaving.current = true
          void toggleLike(queryClient, track)
        }}
        className="grid size-12 shrink-0 place-items-center text-gold hover:text-gold-bright"
      >
        <Heart size={22} fill="currentColor" aria-hidden />
        <span className="sr-only">{`Remove ${title} from your favorites`}</span>
      </button>
    </li>
  )
}
