import type { QueryClient } from '@tanstack/react-query'
import type { Mission } from '../../worker/contract/points'
import { authStatus } from '../auth/auth.queries'

/**
 * What an act came to is shown at once: the total wherever it stands, the missions that it fulfilled. Then everything
 * that counts acts is read again (specification, section 7), so that nothing shown rests on our own arithmetic.
 */
export function settle(
  queries: QueryClient,
  { totalPoints, missions }: { totalPoints: number; missions: readonly { id: string }[] },
): Promise<unknown> {
  queries.setQueryData(authStatus.queryKey, (me) => me && { ...me, points: totalPoints })
  const fulfilled = new Set(missions.map(({ id }) => id))
  queries.setQueryData(['missions'], (list?: Mission[]) =>
    list?.map((one) => (fulfilled.has(one.id) ? { ...one, progress: one.target, completed: true } : one)),
  )
  return readPointsAgain(queries)
}

/** The session, the missions, the ledger and the leaderboard are asked for again: points have moved. */
export function readPointsAgain(queries: QueryClient): Promise<unknown> {
  const moved = [authStatus.queryKey, ['missions'], ['points'], ['leaderboard']]
  return Promise.all(moved.map((queryKey) => queries.invalidateQueries({ queryKey })))
}
