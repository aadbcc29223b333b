import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import { type Service, type StreamReport, type Track, tracksApi } from '../../worker/contract/tracks'
import { call } from '../api/call'
import { readPointsAgain, settle } from '../points/earned'

export const allTracks = queryOptions({
  queryKey: ['tracks'],
  queryFn: () => call(tracksApi.all, {}),
})

/** Every track, in the order of the record. */
export function useTracks() {
  return useQuery(allTracks)
}

/** Counts a click that leaves for a streaming service. The page may be left at once: the request outlives it. */
export function useOutboundClick() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ trackId, service }: { trackId: number; service: Service }) =>
      call(tracksApi.play, { id: String(trackId), body: { service } }, { keepalive: true }),
    onSuccess: () => queries.invalidateQueries({ queryKey: allTracks.queryKey }),
  })
}

/**
 * Likes a track, or takes the like back: what the server answers stands on it at once, and the list is read again
 * (specification section 7).
 */
export function useLike({ id, liked }: Track) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => call(liked ? tracksApi.unlike : tracksApi.like, { id: String(id) }),
    onSuccess: (answer) => {
      const { likes, liked } = answer
      queries.setQueryData(allTracks.queryKey, (tracks) =>
        tracks?.map((track) => (track.id === id ? { ...track, likes, liked } : track)),
      )
      settle(queries, answer)
      void queries.invalidateQueries({ queryKey: allTracks.queryKey })
    },
  })
}

/** Reports a stream that was listened to; what counts points is read again when it was paid. */
export function useStreamReport() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (report: z.input<typeof StreamReport>) => call(tracksApi.stream, { body: report }),
    onSuccess: ({ pointsAwarded }) => {
      if (pointsAwarded > 0) readPointsAgain(queries)
    },
  })
}
