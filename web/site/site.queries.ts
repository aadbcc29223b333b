import { queryOptions, useQuery } from '@tanstack/react-query'
import { siteApi } from '../../worker/contract/site'
import { call } from '../api/call'

/** The public configuration: the artist, the tiers and which features are enabled. */
export const siteConfig = queryOptions({
  queryKey: ['config'],
  queryFn: () => call(siteApi.config, {}),
})

/** The public configuration; undefined while loading. */
export function useSite() {
  return useQuery(siteConfig).data
}
