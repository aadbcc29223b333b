import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { type Mission, pointsApi } from '../../worker/contract/points'
import { call } from '../api/call'
import { authStatus } from '../auth/auth.queries'

/** The fifty supporters with the most points, and the caller's rank. */
export const leaderboard = queryOptions({
  queryKey: ['leaderboard'],
  queryFn: () => call(pointsApi.leaderboard, {}),
})

/** All missions with the caller's progress. */
export const missions = queryOptions({
  queryKey: ['missions'],
  queryFn: () => call(pointsApi.missions, {}),
})

/** Refetches everything that shows points. */
export function invalidatePoints(queries: QueryClient): void {
  for (const queryKey of [authStatus.queryKey, ['missions'], ['points'], ['leaderboard']])
    void queries.invalidateQueries({ queryKey })
}

/** Marks missions as completed at once, then refetches everything that shows points. */
export function markMissionsCompleted(
  queries: QueryClient,
  { missions }: { missions: readonly { id: string }[] },
): void {
  const completedIds = new Set(missions.map(({ id }) => id))
  queries.setQueryData(['missions'], (list?: Mission[]) =>
    list?.map((mission) =>
      completedIds.has(mission.id) ? { ...mission, progress: mission.target, completed: true } : mission,
    ),
  )
  invalidatePoints(queries)
}
