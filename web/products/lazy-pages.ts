import type { QueryClient } from '@tanstack/react-query'
import { variantFormats } from '../downloads/downloads.queries'
import { allProducts } from './products.queries'

// One lazy chunk: the pages share their code.
export { MerchPage } from './MerchPage'
export { ProductPage } from './ProductPage'

export const requestProduct = (queries: QueryClient) =>
  Promise.all([queries.ensureQueryData(allProducts), queries.ensureQueryData(variantFormats)])
