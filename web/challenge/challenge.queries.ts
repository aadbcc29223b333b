import { queryOptions } from '@tanstack/react-query'
import { challengeApi } from '../../worker/contract/challenge'
import { ApiError, call } from '../api/call'

/** The latest finished challenge; null when there has been none. */
export const hallOfFame = queryOptions({
  queryKey: ['challenge'],
  queryFn: async () => {
    try {
      return await call(challengeApi.hallOfFame, {})
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return null
      throw error
    }
  },
})
