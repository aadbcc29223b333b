import { queryOptions } from '@tanstack/react-query'
import { currentChallengeStateEndpoint, hallOfFameApi } from '../../worker/contract/hall-of-fame'
import { call, nullIfNotFound } from '../api/call'

/** The latest finished challenge with a winner; null if there is none. */
export const hallOfFame = queryOptions({
  queryKey: ['challenge', 'hall-of-fame'],
  queryFn: () => call(hallOfFameApi.hallOfFame, {}).catch(nullIfNotFound),
})

/** State of the running challenge, else of the last one; null if there was none. */
export const currentChallengeState = queryOptions({
  queryKey: ['challenge', 'state'],
  queryFn: async () => (await call(currentChallengeStateEndpoint, {}))?.state ?? null,
})
