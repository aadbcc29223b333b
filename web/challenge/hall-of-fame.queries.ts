import { queryOptions } from '@tanstack/react-query'
import { hallOfFameApi } from '../../worker/contract/hall-of-fame'
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
