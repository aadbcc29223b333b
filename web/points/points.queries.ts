import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { type Mission, pointsApi } from '../../worker/contract/points'
import { call } from '../api/call'
import { sessionQuery } from '../auth/auth.queries'

/** The fifty supporters with the most points, and the caller's rank. */
export const topSupporters = queryOptions({
  queryKey: ['leaderboard'],
  queryFn: () => call(pointsApi.leaderboard, {}),
})

/** All missions with the caller's progress. */
export const allMissions = queryOptions({
  queryKey: ['missions'],
  queryFn: () => call(pointsApi.missions, {}),
})

/** Refetches everything that shows points. */
export function invalidatePoints(queryClient: QueryClient): void {
  for (const queryKey of [sessionQuery.queryKey, ['missions'], ['points'], ['leaderboard']])
    void queryClient.invalidateQueries({ queryKey })
}

/** Marks missions as completed at once, then refetches everything that shows points. */
export function markMissionsCompleted(
  queryClient: QueryClient,
  { missions }: { missions: readonly { id: string }[] },
): void {
  const completedIds = new Set(missions.map(({ id }) => id))
  queryClient.setQueryData(['missions'], (list?: Mission[]) =>
    list?.map((mission) =>
      completedIds.has(mission.id) ? { ...mission, progress: mission.target, completed: true } : mission,
    ),
  )
  invalidatePoints(queryClient)
}
