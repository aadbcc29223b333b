import { type QueryClient, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import { type LiveCounts, type PollDraft, type PollView, pollsApi } from '../../worker/contract/polls'
import { ApiError, call } from '../api/call'
import { invalidatePoints, markMissionsCompleted } from '../points/points.queries'

export const activePolls = queryOptions({
  queryKey: ['polls', 'active'],
  queryFn: () => call(pollsApi.active, {}),
})

export function useActivePolls() {
  return useQuery(activePolls)
}

/** The latest closed polls. */
export const closedPolls = queryOptions({
  queryKey: ['polls', 'closed'],
  queryFn: () => call(pollsApi.closed, {}),
})

/**
 * Votes, then refetches polls, points and missions; also after 409 (an earlier response may have been lost) and 410
 * (the poll has closed).
 */
export function useVote(pollId: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (optionId: string) => call(pollsApi.vote, { pollId, body: { optionId } }),
    onSuccess: (earned, optionId) => {
      updatePoll(queries, pollId, (poll) => ({ ...poll, userVote: { optionId, counted: earned.counted } }))
      markMissionsCompleted(queries, earned)
      void invalidatePolls(queries)
    },
    onError: (error) => {
      if (!(error instanceof ApiError) || ![409, 410].includes(error.status)) return
      invalidatePoints(queries)
      void invalidatePolls(queries)
    },
  })
}

/** Creates a poll, then refetches polls, points and missions. */
export function useCreatePoll() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: z.input<typeof PollDraft>) => call(pollsApi.create, { body }),
    onSuccess: (earned) => {
      markMissionsCompleted(queries, earned)
      void invalidatePolls(queries)
    },
  })
}

/** Writes live counts into the query cache. */
export function applyLiveCounts(queries: QueryClient, pollId: string, { endDate, options }: LiveCounts): void {
  const counts = new Map(options.map(({ id, voteCount }) => [id, voteCount]))
  updatePoll(queries, pollId, (poll) => ({
    ...poll,
    endDate,
    options: poll.options.map((option) => ({ ...option, voteCount: counts.get(option.id) ?? option.voteCount })),
  }))
}

/** Refetches the polls; concurrent calls share one request. */
export function invalidatePolls(queries: QueryClient): Promise<void> {
  return queries.invalidateQueries({ queryKey: ['polls'] }, { cancelRefetch: false })
}

function updatePoll(queries: QueryClient, pollId: string, change: (poll: PollView) => PollView): void {
  queries.setQueryData(activePolls.queryKey, (polls) =>
    polls?.map((poll) => (poll.id === pollId ? change(poll) : poll)),
  )
}
