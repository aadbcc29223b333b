import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import type { Product } from '../../worker/contract/shop'
import { Footer } from '../layout/Footer'
import { SectionLink } from '../layout/SectionLink'
import { allProducts } from '../merch/products.queries'
import { buttonClass } from '../ui/Button'
import { LoadError } from '../ui/LoadError'
import { Picture } from '../ui/Picture'
import { Skeleton } from '../ui/Skeleton'
import { OrderSummary } from './OrderSummary'
import { PaymentPanel } from './PaymentPanel'

/** Order summary and card payment. Without `product` it is the first product that the store section does not feature. */
export function CheckoutPage() {
  const { product: id, quantity = 1 } = useSearch({ from: '/checkout' })
  const { data: products, isError, isFetching, refetch } = useQuery(allProducts)
  const product = products && ordered(products, id)
  return (
    <>
      <main id="content" tabIndex={-1} className="page-grid pt-28 pb-20 outline-none">
        <h1 className="col-span-full mb-10 font-display text-title">Checkout</h1>
        {product ? (
          <Order product={product} quantity={quantity} />
        ) : products ? (
          <Unknown />
        ) : isError ? (
          <div className="col-span-full">
            <LoadError onRetry={() => void refetch()} retrying={isFetching}>
              The order could not be fetched.
            </LoadError>
          </div>
        ) : (
          <>
            <Skeleton className="col-span-full mb-8 aspect-square lg:col-span-6" label="Fetching the order" />
            <Skeleton className="col-span-full h-[30rem] lg:col-span-5 lg:col-start-8" />
          </>
        )}
      </main>
      <Footer />
    </>
  )
}

/** The product that is ordered; undefined when there is none by that id. */
export function ordered(products: readonly Product[], id: string | undefined): Product | undefined {
  return products.find((product) => (id === undefined ? !product.isFeatured : product.id === id))
}

function Order({ product, quantity }: { product: Product; quantity: number }) {
  const queries = useQueryClient()
  const [first] = product.images
  return (
    <>
      <div className="max-lg:hidden lg:col-span-6">
        <Picture
          src={first?.url ?? product.imageUrl}
          alt=""
          width={1200}
          height={1200}
          sizes="50vw"
          eager
          className="sticky top-24 aspect-square w-full object-cover"
        />
      </div>
      <div className="col-span-full lg:col-span-5 lg:col-start-8">
        <OrderSummary product={product} quantity={quantity} />
        <PaymentPanel
          product={product}
          quantity={quantity}
          onRetry={() => void queries.invalidateQueries({ queryKey: allProducts.queryKey })}
        />
      </div>
    </>
  )
}

function Unknown() {
  return (
    <div className="col-span-full max-w-2xl border-l-4 border-sunset bg-sleeve p-6 md:p-9">
      <h2 className="text-xl font-bold">This product is not sold here</h2>
      <p className="mt-2 text-muted">The address may be misspelled, or the product has been taken down.</p>
      <SectionLink section="merch" className={buttonClass('outline', 'mt-6')}>
        To the Merch Store
      </SectionLink>
    </div>
  )
}
