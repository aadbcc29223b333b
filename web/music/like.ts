import type { QueryClient } from '@tanstack/react-query'
import { type Track, tracksApi } from '../../worker/contract/tracks'
import { ApiError, call } from '../api/call'
import { showPoints } from '../auth/auth.queries'
import { settle } from '../points/earned'
import { toast } from '../ui/toast'
import { allTracks } from './tracks.queries'

export const askToLogIn = () =>
  toast({ title: 'Login required', text: 'Please sign up or login to like a track', tone: 'destructive' })

/**
 * Likes a track, or takes the like back: what the server answers stands on it at once, and the list is read again
 * (specification section 7). Fetched with the first press: the first script of the home page is small.
 */
export async function likeOrTakeBack(queries: QueryClient, { id, liked }: Track): Promise<void> {
  try {
    const answer = await call(liked ? tracksApi.unlike : tracksApi.like, { id: String(id) })
    queries.setQueryData(allTracks.queryKey, (tracks) =>
      tracks?.map((track) => (track.id === id ? { ...track, likes: answer.likes, liked: answer.liked } : track)),
    )
    showPoints(queries, answer)
    settle(queries, answer)
    void queries.invalidateQueries({ queryKey: allTracks.queryKey })
    toast(
      answer.liked
        ? { title: 'Liked!', text: 'Track added to your favorites' }
        : { title: 'Like taken back', text: 'Track removed from your favorites' },
    )
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) askToLogIn()
    else toast({ title: 'Like failed', text: (error as Error).message, tone: 'destructive' })
  }
}
