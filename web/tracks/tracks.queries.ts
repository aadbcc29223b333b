import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import { type StreamingService, type StreamReport, tracksApi } from '../../worker/contract/tracks'
import { call } from '../api/call'
import { useServerData } from '../lib/server-data'
import { awardText } from '../points/award-text'
import { invalidatePoints } from '../points/points.queries'
import { toast } from '../ui/toast'

export const allTracks = queryOptions({
  queryKey: ['tracks'],
  queryFn: () => call(tracksApi.list, {}),
})

export function useTracks() {
  return useServerData(useQuery(allTracks), allTracks.queryKey)
}

/** Counts a click to a streaming service. With `keepalive`, the request continues after the visitor leaves the page. */
export function useOutboundClick() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ trackId, service }: { trackId: number; service: StreamingService }) =>
      call(tracksApi.countClick, { id: String(trackId), body: { service } }, { keepalive: true }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: allTracks.queryKey }),
  })
}

/** Reports a stream, refetches points if it earned some, and shows a toast if it completed a mission. */
export function useStreamReport() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (report: z.input<typeof StreamReport>) => call(tracksApi.reportStream, { body: report }),
    onSuccess: (award) => {
      if (award.pointsAwarded > 0) invalidatePoints(queryClient)
      if (award.missions?.length) toast({ title: 'Mission complete', text: awardText(award) })
    },
  })
}
