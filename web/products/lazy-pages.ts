// One lazy chunk: the pages share their code.
export { MerchPage } from './MerchPage'
export { ProductPage } from './ProductPage'
