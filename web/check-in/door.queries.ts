import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { checkInApi } from '../../worker/contract/check-in'
import { call } from '../api/call'

const COUNT_INTERVAL_MS = 5_000
const CODE_INTERVAL_MS = 60_000

// The code at the door, with the secret from which the page computes later codes offline.
// `networkMode: 'always'` fetches even if the browser reports being offline. The old data remains after a failure.
export const checkInCode = (id: string) =>
  queryOptions({
    queryKey: ['admin', 'door', id],
    queryFn: () => call(checkInApi.code, { id }),
    networkMode: 'always',
    refetchInterval: CODE_INTERVAL_MS,
    refetchIntervalInBackground: true,
  })

export const checkInCount = (id: string) =>
  queryOptions({
    queryKey: ['admin', 'arrivals', id],
    queryFn: () => call(checkInApi.counts, { id }),
    networkMode: 'always',
    refetchInterval: COUNT_INTERVAL_MS,
  })

/** Replaces the secret; the old one's codes become invalid. */
export function useRenewSecret(id: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => call(checkInApi.renewSecret, { id }),
    // Fails at once while offline; the default mode would renew the secret when the network returns.
    networkMode: 'always',
    onSuccess: async (newCode) => {
      const { queryKey } = checkInCode(id)
      // A pending fetch would bring back the old secret.
      await queryClient.cancelQueries({ queryKey })
      queryClient.setQueryData(queryKey, newCode)
    },
  })
}
