import { queryOptions, useQuery } from '@tanstack/react-query'
import { ALL_OTHER_COUNTRIES } from '../../worker/contract/countries'
import { shopApi } from '../../worker/contract/shop-settings'
import { call } from '../api/call'
import { countryName } from './address-lines'

const destinations = queryOptions({
  queryKey: ['shop', 'destinations'],
  queryFn: () => call(shopApi.destinations, {}),
})

/** A message if nothing ships to a country; undefined if it does, or while loading. */
export function useUnservedText(country: string | null): string | undefined {
  const { data } = useQuery({ ...destinations, enabled: country !== null })
  if (!data || country === null) return undefined
  const served = data.zones.filter(({ kind }) => kind === 'shipping').flatMap(({ countries }) => countries)
  if (served.includes(country) || served.includes(ALL_OTHER_COUNTRIES)) return undefined
  return `We do not ship to ${countryName(country)} yet. Choose another country.`
}
