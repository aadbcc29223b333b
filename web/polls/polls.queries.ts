import { type QueryClient, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import { type LiveCounts, type PollDraft, type PollView, pollsApi } from '../../worker/contract/polls'
import { call } from '../api/call'
import { useServerData } from '../lib/server-data'
import { markMissionsCompleted } from '../points/points.queries'

export const activePolls = queryOptions({
  queryKey: ['polls', 'active'],
  queryFn: () => call(pollsApi.active, {}),
})

export function useActivePolls() {
  return useServerData(useQuery(activePolls), activePolls.queryKey)
}

/** The latest closed polls. */
export const closedPolls = queryOptions({
  queryKey: ['polls', 'closed'],
  queryFn: () => call(pollsApi.closed, {}),
})

/** Writes live counts into the query cache. */
export function applyLiveCounts(queryClient: QueryClient, pollId: string, { endDate, options }: LiveCounts): void {
  const counts = new Map(options.map(({ id, voteCount }) => [id, voteCount]))
  updateCachedPoll(queryClient, pollId, (poll) => ({
    ...poll,
    endDate,
    options: poll.options.map((option) => ({ ...option, voteCount: counts.get(option.id) ?? option.voteCount })),
  }))
}

/** Refetches the polls; concurrent calls share one request. */
export function invalidatePolls(queryClient: QueryClient): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: ['polls'] }, { cancelRefetch: false })
}

/** Changes an open poll in the query cache; nothing is sent to the server. */
export function updateCachedPoll(queryClient: QueryClient, pollId: string, change: (poll: PollView) => PollView): void {
  queryClient.setQueryData(activePolls.queryKey, (polls) =>
    polls?.map((poll) => (poll.id === pollId ? change(poll) : poll)),
  )
}

/** Creates a poll, then refetches polls, points and missions. */
export function useCreatePoll() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: z.input<typeof PollDraft>) => call(pollsApi.create, { body }),
    onSuccess: (earned) => {
      markMissionsCompleted(queryClient, earned)
      void invalidatePolls(queryClient)
    },
  })
}
