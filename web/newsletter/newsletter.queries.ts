import { useMutation, useQueryClient } from '@tanstack/react-query'
import { newsletterApi } from '../../worker/contract/newsletter'
import { call } from '../api/call'
import { authStatus } from '../auth/auth.queries'
import { invalidatePoints } from '../points/invalidate-points'

/**
 * Puts an address on the list. Newsletter queries are read again, and for a supporter the user and everything that
 * shows points too: joining pays, and may fulfil a mission (specification sections 6 and 7).
 */
export function useSubscribe() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (email: string) => call(newsletterApi.subscribe, { body: { email } }),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ['newsletter'] })
      if (!queries.getQueryData(authStatus.queryKey)) return
      void queries.invalidateQueries({ queryKey: ['auth', 'user'] })
      invalidatePoints(queries)
    },
  })
}
