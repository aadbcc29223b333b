import type { QueryClient } from '@tanstack/react-query'
import { variantFormats } from '../downloads/downloads.queries'
import { allProducts } from './products.queries'

// The pages share code, so they load as one chunk.
export { MerchPage } from './MerchPage'
export { ProductPage } from './ProductPage'

export const preloadProductPage = (queryClient: QueryClient) =>
  Promise.all([queryClient.ensureQueryData(allProducts), queryClient.ensureQueryData(variantFormats)])
