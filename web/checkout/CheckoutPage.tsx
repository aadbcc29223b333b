import '../styles/utilities.css'
import '../styles/checkout.css'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import type { Product, ProductVariant } from '../../worker/contract/products'
import { openCart, useCart } from '../cart/cart-store'
import { SectionLink } from '../layout/SectionLink'
import { useHydrated } from '../lib/useHydrated'
import { allProducts } from '../products/products.queries'
import { type CheckoutSearch, MAX_QUANTITY } from '../search-params'
import { siteConfig } from '../site/site.queries'
import { Button, buttonClass } from '../ui/Button'
import { LoadError } from '../ui/LoadError'
import { Skeleton } from '../ui/Skeleton'
import { Checkout } from './Checkout'
import { ChooseVariant } from './ChooseVariant'

/** /checkout: the cart with `?cart=true`, else the product `?product=`, by default the first one not featured. */
export function CheckoutPage() {
  const search = useSearch({ from: '/checkout' })
  const isCart = search.cart === true
  return (
    <main id="content" tabIndex={-1} className="checkout page-grid pt-6 pb-20 outline-none md:pt-10">
      <header className="col-span-full mb-8 md:mb-12">
        {isCart ? (
          <Button variant="text" onClick={openCart} className="-ml-3">
            <ArrowLeft size={18} aria-hidden />
            Back to cart
          </Button>
        ) : (
          <Link to="/merch" className={buttonClass('text', '-ml-3')}>
            <ArrowLeft size={18} aria-hidden />
            Back to merch
          </Link>
        )}
        <h1 className="mt-2 font-display text-title">Checkout</h1>
      </header>
      {isCart ? <CartCheckout /> : <ProductCheckout search={search} />}
      <p className="col-span-full mt-12 border-t border-rule pt-4">
        <Link to="/privacy-policy" className={buttonClass('text', '-ml-3')}>
          Privacy Policy
        </Link>
      </p>
    </main>
  )
}

function CartCheckout() {
  const { lines } = useCart()
  const site = useQuery(siteConfig)
  const isHydrated = useHydrated()
  if (!isHydrated || site.isPending) return <CheckoutSkeleton />
  if (lines.length === 0) return <EmptyCart />
  return site.data ? (
    <Checkout site={site.data} source={{ kind: 'cart', lines }} />
  ) : (
    <CheckoutLoadError queries={[site]} />
  )
}

function ProductCheckout({ search }: { search: CheckoutSearch }) {
  const { product: id, variant: variantId, quantity = 1, price: priceCents } = search
  const products = useQuery(allProducts)
  const site = useQuery(siteConfig)
  const product = products.data && findProduct(products.data, id)
  if (product && site.data) {
    const variant = findVariant(product, variantId)
    const minimumCents = variant?.minimumCents ?? null
    const isPriceMissing = minimumCents !== null && (priceCents === undefined || priceCents < minimumCents)
    if (!variant || isPriceMissing) return <ChooseVariant key={product.id} product={product} quantity={quantity} />
    return (
      <Checkout
        key={`${product.id} ${variant.id}`}
        site={site.data}
        source={{
          kind: 'product',
          product,
          variant,
          quantity: Math.min(quantity, MAX_QUANTITY),
          unitPriceCents: variant.minimumCents === null ? null : (priceCents ?? null),
        }}
      />
    )
  }
  if (products.data && !product) return <UnknownProduct />
  if (products.isError || site.isError) return <CheckoutLoadError queries={[products, site]} />
  return <CheckoutSkeleton />
}

/** The variant in the URL, or the product's only one. The server rejects a sold-out variant. */
const findVariant = ({ variants }: Product, id: string | undefined): ProductVariant | undefined =>
  variants.length === 1 ? variants[0] : variants.find((variant) => variant.id === id)

const CheckoutSkeleton = () => (
  <>
    <Skeleton
      className="col-span-full mb-10 h-[30rem] lg:col-span-5 lg:col-start-8 lg:row-start-2"
      label="Loading the order"
    />
    <Skeleton className="col-span-full h-[40rem] lg:col-span-6 lg:row-start-2" />
  </>
)

type RetryableQuery = { isError: boolean; isFetching: boolean; refetch: () => Promise<unknown> }

const CheckoutLoadError = ({ queries }: { queries: readonly RetryableQuery[] }) => (
  <div className="col-span-full">
    <LoadError
      onRetry={() => {
        for (const { isError, refetch } of queries) if (isError) void refetch()
      }}
      retrying={queries.some(({ isFetching }) => isFetching)}
    >
      The order could not be loaded.
    </LoadError>
  </div>
)

const EmptyCart = () => (
  <div className="col-span-full max-w-2xl border-l-4 border-gold bg-sleeve p-6 md:p-9">
    <h2 className="text-xl font-bold">Your cart is empty</h2>
    <p className="mt-2 text-muted">Add something in the store, then check out here.</p>
    <Link to="/merch" className={buttonClass('primary', 'mt-6')}>
      See the merch
    </Link>
  </div>
)

function findProduct(products: readonly Product[], id: string | undefined): Product | undefined {
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
