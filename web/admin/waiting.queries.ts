import { useQuery } from '@tanstack/react-query'
import { pendingTasksApi } from '../../worker/contract/pending-tasks'
import { adminQuery } from './admin.queries'

/** Pending tasks of the caller's role. */
export const waiting = {
  ...adminQuery('waiting', pendingTasksApi.pendingTasks),
  staleTime: 15_000,
  refetchInterval: 60_000,
}

/** Number of pending tasks by screen id. */
export function useWaitingCounts(): ReadonlyMap<string, number> {
  const { data: items = [] } = useQuery(waiting)
  const counts = new Map<string, number>()
  for (const { screen, count } of items) counts.set(screen, (counts.get(screen) ?? 0) + count)
  return counts
}
