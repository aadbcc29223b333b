import type { QueryClient } from '@tanstack/react-query'
import { variantFormats } from '../downloads/downloads.queries'
import { allProducts } from './products.queries'

// One lazy chunk: the pages share their code.
export { MerchPage } from './MerchPage'
export { ProductPage } from './ProductPage'

export const requestProduct = (queryClient: QueryClient) =>
  Promise.all([queryClient.ensureQueryData(allProducts), queryClient.ensureQueryData(variantFormats)])
