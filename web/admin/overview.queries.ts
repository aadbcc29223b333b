import { queryOptions } from '@tanstack/react-query'
import { overviewApi } from '../../worker/contract/overview'
import { call } from '../api/call'

/** The desk's figures: fetched anew each minute while they are looked at, and on every visit. */
export const overview = queryOptions({
  queryKey: ['admin', 'overview'],
  queryFn: () => call(overviewApi.overview, {}),
  staleTime: 0,
  refetchInterval: 60_000,
})
