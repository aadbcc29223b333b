import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { pointsApi } from '../../worker/contract/points'
import { call, callPage } from '../api/call'
import { settle } from './earned'

/** The fifty supporters with the most points, and the caller's own rank. */
export const leaderboard = queryOptions({
  queryKey: ['leaderboard'],
  queryFn: () => call(pointsApi.leaderboard, {}),
})

/** What earns points, with the caller's progress. */
export const missions = queryOptions({
  queryKey: ['missions'],
  queryFn: () => call(pointsApi.missions, {}),
})

/** The caller's ledger, newest first, page by page. */
export const history = infiniteQueryOptions({
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
export function useComplete(id: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => call(pointsApi.complete, { id }),
    onSuccess: ({ totalPoints }) => settle(queries, { totalPoints, missions: [{ id }] }),
  })
}
