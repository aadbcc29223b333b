import type { QueryClient } from '@tanstack/react-query'
import { type Track, tracksApi } from '../../worker/contract/tracks'
import { ApiError, call } from '../api/call'
import { updatePoints } from '../auth/auth.queries'
import { markMissionsCompleted } from '../points/points.queries'
import { toast } from '../ui/toast'
import { allTracks } from './tracks.queries'

export const toastLoginRequired = () =>
  toast({ title: 'Login required', text: 'Please sign up or login to like a track', tone: 'destructive' })

/**
 * Likes a track, or takes the like back: what the server answers stands on it at once, and the list is read again
 * (specification section 7). Fetched with the first press: the first script of the home page is small.
 */
export async function toggleLike(queries: QueryClient, { id, liked }: Track): Promise<void> {
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
