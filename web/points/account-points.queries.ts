import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { type Mission, pointsApi } from '../../worker/contract/points'
import { call, callPage } from '../api/call'
import { markMissionsCompleted } from './points.queries'

// Not in points.queries.ts, so that the home page does not load it.

/**
 * Runs an action whose response lists no missions. Returns its result and the missions that it completed, none if the
 * missions cannot be loaded. Rejects if the action does.
 */
export async function withCompletedMissions<Result>(
  action: () => Promise<Result>,
): Promise<{ result: Result; missions: Mission[] }> {
  const readMissions = () => call(pointsApi.missions, {}).catch((): Mission[] => [])
  const before = await readMissions()
  const result = await action()
  const openIds = new Set(before.filter(({ completed }) => !completed).map(({ id }) => id))
  const after = openIds.size > 0 ? await readMissions() : []
  return { result, missions: after.filter(({ id, completed }) => completed && openIds.has(id)) }
}

/** The caller's points ledger, newest first. */
export const pointsHistory = infiniteQueryOptions({
  queryKey: ['points', 'history'],
  queryFn: ({ pageParam }) => callPage(pointsApi.history, {}, pageParam),
  initialPageParam: null as string | null,
  getNextPageParam: ({ next }) => next,
})

/** Supporters who joined with the caller's code. */
export const myReferrals = queryOptions({
  queryKey: ['points', 'referrals'],
  queryFn: () => call(pointsApi.referrals, {}),
})

/** Collects the points of a mission whose actions are older than the mission. */
export function useCompleteMission(id: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => call(pointsApi.complete, { id }),
    onSuccess: () => markMissionsCompleted(queryClient, { missions: [{ id }] }),
  })
}
