import type { QueryClient } from '@tanstack/react-query'
import { type TrackLikeResult, tracksApi } from '../../worker/contract/tracks'
import { call, hasStatus } from '../api/call'
import { updatePoints } from '../auth/auth.queries'
import { requestSignUp } from '../auth/pending-choice'
import { awardText } from '../points/award-text'
import { markMissionsCompleted } from '../points/points.queries'
import { toast } from '../ui/toast'
import { allTracks } from './tracks.queries'

/** Likes or unlikes a track, then refetches tracks, points and missions. */
export async function setLiked(queryClient: QueryClient, id: number, liked: boolean): Promise<TrackLikeResult> {
  const response = await call(liked ? tracksApi.like : tracksApi.unlike, { id: String(id) })
  queryClient.setQueryData(allTracks.queryKey, (tracks) =>
    tracks?.map((track) => (track.id === id ? { ...track, likes: response.likes, liked: response.liked } : track)),
  )
  updatePoints(queryClient, response)
  markMissionsCompleted(queryClient, response)
  void queryClient.invalidateQueries({ queryKey: allTracks.queryKey })
  return response
}

/** @param next what the supporter still has to do, appended to the text */
export const toastLiked = (award: TrackLikeResult, next = ''): void => {
  const earned = awardText(award) || 'A track earns points only the first time you like it'
  toast({ title: 'Liked!', text: `Track added to your favorites. ${earned}${next}` })
}

/** Likes or unlikes the track with a toast; after an unlike the toast offers to undo it. */
export async function toggleLike(
  queryClient: QueryClient,
  track: { id: number; title: string; liked: boolean },
): Promise<void> {
  try {
    const response = await setLiked(queryClient, track.id, !track.liked)
    if (response.liked) return toastLiked(response)
    toast({
      title: 'Like removed',
      text: `Track removed from your favorites${response.pointsAwarded < 0 ? `. −${-response.pointsAwarded} points` : ''}`,
      action: { label: 'Undo', onPress: () => void toggleLike(queryClient, { ...track, liked: false }) },
    })
  } catch (error) {
    if (hasStatus(error, 401)) requestSignUp({ kind: 'like', trackId: track.id, title: track.title })
    else toast({ title: 'Like failed', text: (error as Error).message, tone: 'destructive' })
  }
}
