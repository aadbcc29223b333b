import '../styles/catalog.css'
import { Link, useParams } from '@tanstack/react-router'
import { PRODUCT_IMAGE, type Product } from '../../worker/contract/products'
import { usePageTitle } from '../layout/page-title'
import { RecordPage } from '../layout/RecordPage'
import { formatPrice } from '../lib/format'
import { CoverGlow } from '../releases/Sleeve'
import { titleStyle } from '../releases/title-style'
import { useSite } from '../site/site.queries'
import { buttonClass } from '../ui/Button'
import { BroadcastLink, BuyNow, StockLabel } from './FeaturedProduct'
import { ProductImage } from './MerchPage'
import { useProducts } from './products.queries'

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
            <ProductPoster product={product} />
            <OtherProducts products={products.filter((each) => each !== product)} />
          </>
        )
      }
    </RecordPage>
  )
}

function ProductPoster({ product }: { product: Product }) {
  const broadcastUrl = useSite()?.artist.links.broadcast ?? ''
  const { name, description, images, priceCents, stock } = product
  const [cover, ...details] = images
  return (
    <>
      {cover && <CoverGlow coverUrl={cover.url} />}
      <article aria-labelledby="product-name" className="page-grid product-poster">
        <div className="product-pictures">
          <div>
            <ProductImage src={cover?.url ?? ''} alt={cover?.alt ?? ''} sizes={PRODUCT_IMAGE.sizes} eager />
          </div>
          {details.map(({ url, alt }) => (
            <div key={url}>
              <ProductImage src={url} alt={alt} sizes="(width < 64rem) 46vw, 24vw" />
            </div>
          ))}
        </div>
        <div className="product-side">
          <StockLabel stock={stock} />
          <h1 id="product-name" className="product-name font-display" style={titleStyle(name)}>
            {name}
          </h1>
          <p className="tabular-figures foil-text product-price font-display">{formatPrice(priceCents)}</p>
          <p className="max-w-prose whitespace-pre-line text-lg wrap-anywhere">{description}</p>
          <div className="mt-8">
            <BuyNow product={product} />
          </div>
          {broadcastUrl && <BroadcastLink url={broadcastUrl} />}
          <BuyingNotes product={product} />
        </div>
      </article>
    </>
  )
}

/** What the checkout will do. An external payment page has its own rules. */
function BuyingNotes({ product: { ships, stock, checkoutUrl } }: { product: Product }) {
  if (stock <= 0 || checkoutUrl) return null
  return (
    <ul className="product-notes text-sm text-muted">
      {ships && <li>Shipping is included in the price. Checkout asks where to send it.</li>}
      <li>At checkout we hold your piece for 15 minutes while you pay.</li>
    </ul>
  )
}

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
