import { queryOptions, useQuery } from '@tanstack/react-query'
import { productsApi } from '../../worker/contract/products'
import { call } from '../api/call'

export const allProducts = queryOptions({
  queryKey: ['products'],
  queryFn: () => call(productsApi.products, {}),
})

/** What the home page shows of the store: pieces to wear or hold, without downloads. */
export const physicalProducts = queryOptions({
  queryKey: [...allProducts.queryKey, 'pieces'],
  queryFn: async () => (await call(productsApi.products, {})).filter(({ kind }) => kind !== 'digital'),
})

export function useProducts() {
  return useQuery(allProducts)
}
