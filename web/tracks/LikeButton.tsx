import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { Heart } from 'lucide-react'
import { useState } from 'react'
import { type Track, tracksApi } from '../../worker/contract/tracks'
import { ApiError, call } from '../api/call'
import { updatePoints, useMe } from '../auth/auth.queries'
import { markMissionsCompleted } from '../points/points.queries'
import { toast } from '../ui/toast'
import { allTracks } from './tracks.queries'

type LikedTrack = Pick<Track, 'id' | 'title' | 'liked'>

/** Likes a track or takes the like back. */
export function LikeButton({ track, className }: { track: LikedTrack; className: string }) {
  const me = useMe()
  const queries = useQueryClient()
  const [isPending, setPending] = useState(false)
  const toggle = async () => {
    if (isPending) return
    if (me === null) return toastLoginRequired()
    setPending(true)
    await toggleLike(queries, track)
    setPending(false)
  }
  return (
    <button
      type="button"
      aria-label={`Like ${track.title}`}
      aria-pressed={track.liked}
      aria-disabled={isPending}
      onClick={() => void toggle()}
      className={clsx(
        'grid size-12 shrink-0 place-items-center transition duration-200 ease-out hover:text-gold-bright',
        track.liked ? 'text-gold' : 'text-ivory',
        className,
      )}
    >
      <Heart size={22} fill={track.liked ? 'currentColor' : 'none'} aria-hidden />
    </button>
  )
}

const toastLoginRequired = () => {
  toast({ title: 'Login required', text: 'Please sign up or login to like a track', tone: 'destructive' })
}

async function toggleLike(queries: QueryClient, { id, liked }: LikedTrack): Promise<void> {
  try {
    const response = await call(liked ? tracksApi.unlike : tracksApi.like, { id: String(id) })
    queries.setQueryData(allTracks.queryKey, (tracks) =>
      tracks?.map((track) => (track.id === id ? { ...track, likes: response.likes, liked: response.liked } : track)),
    )
    updatePoints(queries, response)
    markMissionsCompleted(queries, response)
    void queries.invalidateQueries({ queryKey: allTracks.queryKey })
    toast(
      response.liked
        ? { title: 'Liked!', text: 'Track added to your favorites' }
        : { title: 'Like taken back', text: 'Track removed from your favorites' },
    )
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) toastLoginRequired()
    else toast({ title: 'Like failed', text: (error as Error).message, tone: 'destructive' })
  }
}
