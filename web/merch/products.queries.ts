import { queryOptions, useQuery } from '@tanstack/react-query'
import { shopApi } from '../../worker/contract/shop'
import { call } from '../api/call'

export const allProducts = queryOptions({
  queryKey: ['products'],
  queryFn: () => call(shopApi.products, {}),
})

/** Everything that is sold. */
export function useProducts() {
  return useQuery(allProducts)
}
