import { queryOptions, useQuery } from '@tanstack/react-query'
import { type SiteConfig, siteApi } from '../../worker/contract/site'
import { call } from '../api/call'
import { setCurrency } from '../lib/format'

/** Prices are formatted in the configuration's currency from now on. */
export function applyCurrency(config: SiteConfig): SiteConfig {
  setCurrency(config.currency)
  return config
}

/** The public configuration: the artist, the tiers and which features are enabled. */
export const siteConfig = queryOptions({
  queryKey: ['config'],
  queryFn: () => call(siteApi.config, {}).then(applyCurrency),
})

/** The public configuration; undefined while loading. */
export function useSite() {
  return useQuery(siteConfig).data
}
