import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { pointsApi } from '../../worker/contract/points'
import { call } from '../api/call'
import { callPage } from '../api/call-page'
import { markMissionsCompleted } from './completed-missions'

// What is a supporter's own, apart from points.queries.ts: the first script of the home page is small.

/** The caller's ledger, newest first, page by page. */
export const pointsHistory = infiniteQueryOptions({
  queryKey: ['points', 'history'],
  queryFn: ({ pageParam }) => callPage(pointsApi.history, {}, pageParam),
  initialPageParam: null as string | null,
  getNextPageParam: ({ next }) => next,
})

/** Who joined with the caller's code, and what became of each. */
export const referrals = queryOptions({
  queryKey: ['points', 'referrals'],
  queryFn: () => call(pointsApi.referrals, {}),
})

/** Collects a mission that was done before it was set up. */
export function useCompleteMission(id: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => call(pointsApi.complete, { id }),
    onSuccess: () => markMissionsCompleted(queries, { missions: [{ id }] }),
  })
}
