import { useQuery } from '@tanstack/react-query'
import { pendingTasksApi } from '../../worker/contract/pending-tasks'
import { adminQuery } from './admin.queries'

/** Pending tasks of the caller's role. */
export const pendingTasksQuery = {
  ...adminQuery('pending-tasks', pendingTasksApi.pendingTasks),
  staleTime: 15_000,
  refetchInterval: 60_000,
}

/** Number of pending tasks by screen id. */
export function usePendingTaskCounts(): ReadonlyMap<string, number> {
  const { data: pendingTasks = [] } = useQuery(pendingTasksQuery)
  const counts = new Map<string, number>()
  for (const { screen, count } of pendingTasks) counts.set(screen, (counts.get(screen) ?? 0) + count)
  return counts
}
