import { queryOptions, useQuery } from '@tanstack/react-query'
import { productsApi } from '../../worker/contract/products'
import { call } from '../api/call'

export const allProducts = queryOptions({
  queryKey: ['products'],
  queryFn: () => call(productsApi.products, {}),
})

export function useProducts() {
  return useQuery(allProducts)
}
