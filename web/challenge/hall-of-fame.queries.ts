import { queryOptions } from '@tanstack/react-query'
import { currentChallengeStateEndpoint, hallOfFameApi } from '../../worker/contract/hall-of-fame'
import { ApiError, call } from '../api/call'

/** Null without a finished challenge. */
export const hallOfFame = queryOptions({
  queryKey: ['challenge'],
  queryFn: async () => {
    try {
      return await call(hallOfFameApi.hallOfFame, {})
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return null
      throw error
    }
  },
})

/** State of the running or last challenge; null without any. */
export const currentChallengeState = queryOptions({
  queryKey: ['challenge', 'state'],
  queryFn: async () => (await call(currentChallengeStateEndpoint, {}))?.state ?? null,
})
