import type { QueryClient } from '@tanstack/react-query'
import type { Mission } from '../../worker/contract/points'
import { readPointsAgain } from './read-again'

/**
 * The missions that an act fulfilled stand done at once, as its points do (web/queries). Then everything that counts
 * acts is read again (specification, section 7), so that nothing shown rests on our own arithmetic.
 */
export function settle(queries: QueryClient, { missions }: { missions: readonly { id: string }[] }): void {
  const fulfilled = new Set(missions.map(({ id }) => id))
  queries.setQueryData(['missions'], (list?: Mission[]) =>
    list?.map((one) => (fulfilled.has(one.id) ? { ...one, progress: one.target, completed: true } : one)),
  )
  readPointsAgain(queries)
}
