import { queryOptions } from '@tanstack/react-query'
import { currentChallengeStateEndpoint, hallOfFameApi } from '../../worker/contract/hall-of-fame'
import { call, nullIfNotFound } from '../api/call'

/** Null without a finished challenge. */
export const hallOfFame = queryOptions({
  queryKey: ['challenge'],
  queryFn: () => call(hallOfFameApi.hallOfFame, {}).catch(nullIfNotFound),
})

/** State of the running or last challenge; null without any. */
export const currentChallengeState = queryOptions({
  queryKey: ['challenge', 'state'],
  queryFn: async () => (await call(currentChallengeStateEndpoint, {}))?.state ?? null,
})
