import { useMutation, useQueryClient } from '@tanstack/react-query'
import { newsletterApi } from '../../worker/contract/newsletter'
import { call } from '../api/call'
import { authStatus } from '../auth/auth.queries'

/**
 * Puts an address on the list. Newsletter queries are read again, and for a supporter the session, the user and the
 * leaderboard too, because the points may have moved (specification sections 6 and 7).
 */
export function useSubscribe() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (email: string) => call(newsletterApi.subscribe, { body: { email } }),
    onSuccess: () => {
      const supporter = queries.getQueryData(authStatus.queryKey)
      const moved = [['newsletter'], ...(supporter ? [authStatus.queryKey, ['auth', 'user'], ['leaderboard']] : [])]
      for (const queryKey of moved) void queries.invalidateQueries({ queryKey })
    },
  })
}
