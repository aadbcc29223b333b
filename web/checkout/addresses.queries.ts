import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { addressesApi } from '../../worker/contract/cart'
import type { ShippingAddress } from '../../worker/contract/checkout'
import { ALL_OTHER_COUNTRIES } from '../../worker/contract/countries'
import { shopApi } from '../../worker/contract/shop-settings'
import { call } from '../api/call'
import { countryName } from './address-lines'

/** The supporter's saved addresses, the last used first. */
export const savedAddresses = queryOptions({
  queryKey: ['account', 'addresses'],
  queryFn: () => call(addressesApi.addresses, {}),
})

export function useSaveAddress() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (shippingAddress: ShippingAddress) => call(addressesApi.saveAddress, { body: { shippingAddress } }),
    onSuccess: (addresses) => queryClient.setQueryData(savedAddresses.queryKey, addresses),
  })
}

export function useDeleteAddress() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => call(addressesApi.deleteAddress, { id }),
    onSuccess: (_, id) =>
      queryClient.setQueryData(savedAddresses.queryKey, (addresses) => addresses?.filter((each) => each.id !== id)),
  })
}

const shippingDestinations = queryOptions({
  queryKey: ['shop', 'destinations'],
  queryFn: () => call(shopApi.destinations, {}),
})

/** A message if the shop does not ship to `country`; else, and while loading, undefined. */
export function useUnservedText(country: string | null): string | undefined {
  const { data } = useQuery({ ...shippingDestinations, enabled: country !== null })
  if (!data || country === null) return undefined
  const served = data.zones.filter(({ kind }) => kind === 'shipping').flatMap(({ countries }) => countries)
  if (served.includes(country) || served.includes(ALL_OTHER_COUNTRIES)) return undefined
  return `We do not ship to ${countryName(country)} yet. Choose another country.`
}
