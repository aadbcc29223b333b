import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { checkInApi } from '../../worker/contract/concerts'
import { call } from '../api/call'

/** How often the door looks who came in, and how often for a new secret and the server's clock. */
const COUNT_INTERVAL_MS = 5_000
const CODE_INTERVAL_MS = 60_000

// `always`: the browser's own idea of being offline keeps nothing from being tried, and a failure keeps what was there.
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

/** Another secret for the door: the old one's codes are dead at once. */
export function useRenewSecret(id: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => call(checkInApi.renewCode, { id }),
    // Without a network it fails at once and says so; it does not wait and renew when nobody expects it.
    networkMode: 'always',
    onSuccess: async (door) => {
      const { queryKey } = checkInCode(id)
      // One that was asked for before knows the old secret, however late it answers.
      await queries.cancelQueries({ queryKey })
      queries.setQueryData(queryKey, door)
    },
  })
}
