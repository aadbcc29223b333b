import { queryOptions } from '@tanstack/react-query'
import { adminOverviewApi } from '../../worker/contract/admin-overview'
import { call } from '../api/call'

/** The desk's figures: fetched anew each minute while they are looked at, and on every visit. */
export const overview = queryOptions({
  queryKey: ['admin', 'overview'],
  queryFn: () => call(adminOverviewApi.overview, {}),
  staleTime: 0,
  refetchInterval: 60_000,
})
