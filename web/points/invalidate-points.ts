import type { QueryClient } from '@tanstack/react-query'
import { authStatus } from '../auth/auth.queries'

/** The session, the missions, the ledger and the leaderboard are asked for again: points have moved. */
export function invalidatePoints(queries: QueryClient): void {
  for (const queryKey of [authStatus.queryKey, ['missions'], ['points'], ['leaderboard']])
    void queries.invalidateQueries({ queryKey })
}
