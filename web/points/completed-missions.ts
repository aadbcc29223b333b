import type { QueryClient } from '@tanstack/react-query'
import type { Mission } from '../../worker/contract/points'
import { invalidatePoints } from './invalidate-points'

/**
 * The missions that an act fulfilled stand done at once, as its points do (web/queries). Then everything that counts
 * acts is read again (specification, section 7), so that nothing shown rests on our own arithmetic.
 */
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
