import '../styles/catalog.css'
import { Link, useParams } from '@tanstack/react-router'
import { ChevronDown } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { PRODUCT_IMAGE, type Product, productsApi } from '../../worker/contract/products'
import { usePageTitle } from '../layout/page-title'
import { RecordPage } from '../layout/RecordPage'
import { formatCalendarDate, formatPrice } from '../lib/format'
import { useNow } from '../lib/useNow'
import { CoverGlow } from '../releases/CoverGlow'
import { titleStyle } from '../releases/title-style'
import { useSite } from '../site/site.queries'
import { buttonClass } from '../ui/Button'
import { BroadcastLink } from './BroadcastLink'
import { BuyBox } from './BuyBox'
import { ProductImage } from './ProductImage'
import { useProducts } from './products.queries'
import { StockLabel } from './StockLabel'
import { type Choice, chosenVariant } from './variant-choice'

const MINUTE_MS = 60_000

/** /merch/{product} */
export function ProductPage() {
  const { product: slug } = useParams({ from: '/merch/$product' })
  const query = useProducts()
  const product = query.data?.find((each) => each.slug === slug)
  usePageTitle(product?.name)
  return (
    <RecordPage query={query} isMissing={query.data && !product} noun="product">
      {(products) =>
        product && (
          <>
            <ProductDetails key={product.id} product={product} />
            <OtherProducts products={products.filter((each) => each !== product)} />
          </>
        )
      }
    </RecordPage>
  )
}

function ProductDetails({ product }: { product: Product }) {
  useCountView(product.id)
  const broadcastUrl = useSite()?.artist.links.broadcast ?? ''
  const [choice, setChoice] = useState<Choice>({})
  const { name, description, stock } = product
  const images = orderedImages(product, chosenVariant(product, choice)?.imageUrl ?? '')
  const [cover, ...otherImages] = images
  return (
    <>
      {product.imageUrl && <CoverGlow coverUrl={product.imageUrl} />}
      <article aria-labelledby="product-name" className="page-grid product-poster">
        <div className="product-images">
          <div>
            <ProductImage src={cover?.url ?? ''} alt={cover?.alt ?? ''} sizes={PRODUCT_IMAGE.sizes} eager />
          </div>
          {otherImages.map(({ url, alt }) => (
            <div key={url}>
              <ProductImage src={url} alt={alt} sizes="(width < 64rem) 46vw, 24vw" />
            </div>
          ))}
        </div>
        <div className="product-side">
          <AvailabilityLabel product={product} />
          <h1 id="product-name" className="product-name font-display" style={titleStyle(name)}>
            {name}
          </h1>
          <p className="mt-5 max-w-prose whitespace-pre-line text-lg wrap-anywhere">{description}</p>
          <BuyBox product={product} choice={choice} onChoose={setChoice} />
          {broadcastUrl && <BroadcastLink url={broadcastUrl} />}
          {stock > 0 && !product.checkoutUrl && <BuyingNotes product={product} />}
          {product.sizeGuide && <SizeGuide text={product.sizeGuide} />}
        </div>
      </article>
    </>
  )
}

/** The product's images, the chosen variant's first. */
function orderedImages({ images, name }: Product, variantImage: string): Product['images'] {
  if (variantImage === '' || variantImage === images[0]?.url) return images
  const first = images.find(({ url }) => url === variantImage) ?? { url: variantImage, alt: name }
  return [first, ...images.filter((image) => image !== first)]
}

function AvailabilityLabel({ product: { kind, releasesAt, stock } }: { product: Product }) {
  const isPreOrder = useNow(MINUTE_MS) < Date.parse(releasesAt ?? '')
  const isDigital = kind === 'digital'
  if (stock <= 0 || !(isPreOrder || isDigital)) return <StockLabel stock={stock} />
  return (
    <p className="flex items-center gap-3 font-label text-bay">
      <span aria-hidden="true" className="size-2.5 rounded-full bg-current" />
      {isPreOrder ? 'Pre-order' : 'Digital download'}
    </p>
  )
}

/** Notes about delivery and payment in our checkout. */
function BuyingNotes({ product }: { product: Product }) {
  const { kind, releasesAt } = product
  const isPreOrder = useNow(MINUTE_MS) < Date.parse(releasesAt ?? '')
  const day = releasesAt && formatCalendarDate(releasesAt.slice(0, 10))
  return (
    <ul className="product-notes text-sm text-muted">
      {kind === 'shipped' && (
        <li>
          {isPreOrder ? `A pre-order: we ship it on ${day}.` : 'Packed and shipped by the team.'} Shipping and tax show
          before you pay.
        </li>
      )}
      {kind === 'pickup' && <li>You pick it up at a show. There is nothing to ship.</li>}
      {kind === 'digital' && (
        <li>
          {isPreOrder
            ? `A pre-order: your download opens on ${day}.`
            : 'Yours to download right after the payment, from the receipt and your account.'}
        </li>
      )}
      {kind !== 'digital' && <li>At checkout we hold your piece for 15 minutes while you pay.</li>}
    </ul>
  )
}

const SizeGuide = ({ text }: { text: string }) => (
  <details className="group border-b border-rule">
    <summary className="flex min-h-12 items-center justify-between gap-4 text-sm font-semibold hover:text-gold-bright [&::-webkit-details-marker]:hidden">
      Size guide
      <ChevronDown size={18} aria-hidden className="transition-transform duration-200 ease-out group-open:rotate-180" />
    </summary>
    <p className="pb-4 whitespace-pre-line wrap-anywhere">{text}</p>
  </details>
)

const MAX_OTHER_PRODUCTS = 4

function OtherProducts({ products }: { products: readonly Product[] }) {
  return (
    <section aria-label="More merch" className="page-grid pb-20">
      <div className="col-span-full mt-16 flex flex-wrap items-center justify-between gap-4 border-t-2 border-gold pt-4">
        <h2 className="font-display text-xl">{products.length > 0 ? 'More merch' : 'More drops coming soon'}</h2>
        <Link to="/merch" className={buttonClass('text', '-mx-3')}>
          All merch
        </Link>
      </div>
      {products.length > 0 && (
        <ul className="product-others">
          {products.slice(0, MAX_OTHER_PRODUCTS).map(({ id, slug, name, imageUrl, priceCents, stock }) => (
            <li key={id}>
              <Link to="/merch/$product" params={{ product: slug }} className="merch-tile">
                <ProductImage src={imageUrl} alt="" sizes="(width < 48rem) 46vw, 22vw" />
                <span className="block">
                  <span className="block text-lg leading-tight font-semibold wrap-anywhere">{name}</span>
                  <span className="tabular-figures mt-1 block text-gold-bright">
                    {stock > 0 ? formatPrice(priceCents) : 'Sold out'}
                  </span>
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** Counts a view of the page, without cookies. Failures are ignored. */
function useCountView(productId: string) {
  const isCounted = useRef(false)
  useEffect(() => {
    if (isCounted.current) return
    isCounted.current = true
    fetch(productsApi.view.path, {
      method: 'POST',
      credentials: 'omit',
      keepalive: true,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ productId }),
    }).catch(() => undefined)
  }, [productId])
}
