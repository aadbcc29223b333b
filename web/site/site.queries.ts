import { queryOptions, useQuery } from '@tanstack/react-query'
import { siteApi } from '../../worker/contract/site'
import { call } from '../api/call'

/** The artist, the tiers and what this deployment can do. */
export const siteConfig = queryOptions({
  queryKey: ['config'],
  queryFn: () => call(siteApi.config, {}),
})

/** The public configuration, undefined while it is fetched. */
export function useSite() {
  return useQuery(siteConfig).data
}
