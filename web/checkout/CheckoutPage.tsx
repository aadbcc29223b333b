import '../styles/account.css'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import type { Product } from '../../worker/contract/products'
import { Footer } from '../layout/Footer'
import { SectionLink } from '../layout/sections'
import { allProducts } from '../products/products.queries'
import { siteConfig } from '../site/site.queries'
import { buttonClass } from '../ui/Button'
import { LoadError } from '../ui/LoadError'
import { Skeleton } from '../ui/Skeleton'
import { Checkout } from './Checkout'

/** /checkout: without `product`, sells the first product that is not featured. */
export function CheckoutPage() {
  const { product: id, quantity = 1 } = useSearch({ from: '/checkout' })
  const products = useQuery(allProducts)
  const site = useQuery(siteConfig)
  const product = products.data && findProduct(products.data, id)
  const failed = [products, site].filter(({ isError }) => isError)
  return (
    <>
      <main id="content" tabIndex={-1} className="page-grid pt-10 pb-20 outline-none md:pt-16">
        <h1 className="col-span-full mb-8 font-display text-title md:mb-12">Checkout</h1>
        {product && site.data ? (
          <Checkout key={product.id} site={site.data} product={product} requestedQuantity={quantity} />
        ) : products.data && !product ? (
          <UnknownProduct />
        ) : failed.length > 0 ? (
          <div className="col-span-full">
            <LoadError
              onRetry={() => {
                for (const { refetch } of failed) void refetch()
              }}
              retrying={products.isFetching || site.isFetching}
            >
              The order could not be loaded.
            </LoadError>
          </div>
        ) : (
          <>
            <Skeleton
              className="col-span-full mb-10 h-[30rem] lg:col-span-5 lg:col-start-8 lg:row-start-2"
              label="Loading the order"
            />
            <Skeleton className="col-span-full h-[40rem] lg:col-span-6 lg:row-start-2" />
          </>
        )}
      </main>
      <Footer />
    </>
  )
}

export function findProduct(products: readonly Product[], id: string | undefined): Product | undefined {
  return products.find((product) => (id === undefined ? !product.isFeatured : product.id === id))
}

function UnknownProduct() {
  return (
    <div className="col-span-full max-w-2xl border-l-4 border-sunset bg-sleeve p-6 md:p-9">
      <h2 className="text-xl font-bold">This product is not sold here</h2>
      <p className="mt-2 text-muted">The address may be misspelled, or the product has been taken down.</p>
      <SectionLink section="merch" className={buttonClass('outline', 'mt-6')}>
        Go to the merch store
      </SectionLink>
    </div>
  )
}
