import { queryOptions, useQuery } from '@tanstack/react-query'
import { productsApi } from '../../worker/contract/products'
import { call } from '../api/call'

export const allProducts = queryOptions({
  queryKey: ['products'],
  queryFn: () => call(productsApi.products, {}),
})

/** Products except downloads, for the home page. */
export const physicalProducts = queryOptions({
  queryKey: [...allProducts.queryKey, 'physical'],
  queryFn: async () => (await call(productsApi.products, {})).filter(({ kind }) => kind !== 'digital'),
})

export function useProducts() {
  return useQuery(allProducts)
}
