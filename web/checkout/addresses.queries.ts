import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { addressesApi } from '../../worker/contract/cart'
import type { ShippingAddress } from '../../worker/contract/checkout'
import { call } from '../api/call'

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
