import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import { type LiveCounts, type PollDraft, type PollView, pollsApi } from '../../worker/contract/polls'
import { ApiError, call } from '../api/call'
import { invalidatePoints, markMissionsCompleted } from '../points/points.queries'
import { activePolls } from './polls.queries'

// What a supporter alone needs of the polls, apart from polls.queries.ts: the first script of the home page is small.

/** The polls that closed last, with their counts. */
export const closedPolls = queryOptions({
  queryKey: ['polls', 'closed'],
  queryFn: () => call(pollsApi.closed, {}),
})

/**
 * Casts a ballot. Points and missions move with it: polls, session and missions are read again (specification, section
 * 7). So they are when the poll took a ballot before, whose answer was lost on its way, or takes none any more.
 */
export function useVote(pollId: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (optionId: string) => call(pollsApi.vote, { pollId, body: { optionId } }),
    onSuccess: (earned, optionId) => {
      updatePoll(queries, pollId, (poll) => ({ ...poll, userVote: { optionId } }))
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

/** Makes a poll, and reads the same again as a vote does. */
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

/** Writes counts that a poll's socket told into what the reader sees. */
export function applyLiveCounts(queries: QueryClient, pollId: string, { endDate, options }: LiveCounts): void {
  const counts = new Map(options.map(({ id, voteCount }) => [id, voteCount]))
  updatePoll(queries, pollId, (poll) => ({
    ...poll,
    endDate,
    options: poll.options.map((option) => ({ ...option, voteCount: counts.get(option.id) ?? option.voteCount })),
  }))
}

/** Asks for the polls again, once, however many of them ask at the same moment. */
export function invalidatePolls(queries: QueryClient): Promise<void> {
  return queries.invalidateQueries({ queryKey: ['polls'] }, { cancelRefetch: false })
}

function updatePoll(queries: QueryClient, pollId: string, next: (poll: PollView) => PollView): void {
  queries.setQueryData(activePolls.queryKey, (polls) => polls?.map((poll) => (poll.id === pollId ? next(poll) : poll)))
}
