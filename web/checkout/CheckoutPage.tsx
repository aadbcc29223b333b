import '../styles/account.css'
import '../styles/checkout.css'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import type { Product } from '../../worker/contract/products'
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
    <main id="content" tabIndex={-1} className="checkout page-grid pt-6 pb-20 outline-none md:pt-10">
      <header className="col-span-full mb-8 md:mb-12">
        <Link to="/merch" className={buttonClass('text', '-ml-3')}>
          <ArrowLeft size={18} aria-hidden />
          Back to merch
        </Link>
        <h1 className="mt-2 font-display text-title">Checkout</h1>
      </header>
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
      <p className="col-span-full mt-12 border-t border-rule pt-4">
        <Link to="/privacy-policy" className={buttonClass('text', '-ml-3')}>
          Privacy Policy
        </Link>
      </p>
    </main>
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
