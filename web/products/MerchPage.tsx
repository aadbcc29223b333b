import '../styles/catalog.css'
import { Link } from '@tanstack/react-router'
import { PRODUCT_IMAGE, type Product } from '../../worker/contract/products'
import { formatCountOf, formatPrice } from '../lib/format'
import { QueryBoundary } from '../ui/QueryBoundary'
import { SectionHeader } from '../ui/Section'
import { DropPanel } from './MoreDrops'
import { ProductImage } from './ProductImage'
import { useProducts } from './products.queries'
import { StockLabel } from './StockLabel'

/** /merch */
export function MerchPage() {
  const query = useProducts()
  const count = query.data?.length ?? 0
  return (
    <main id="content" tabIndex={-1} className="page-grid pt-10 pb-24 md:pt-16">
      <SectionHeader number="02" note={count > 0 ? formatCountOf(count, 'piece') : undefined}>
        <h1 className="font-display text-title">Merch</h1>
      </SectionHeader>
      <QueryBoundary
        query={query}
        loading={{ className: 'col-span-full h-[44rem]', label: 'Loading the store' }}
        error="The store could not be loaded."
        errorClassName="col-span-full py-16"
      >
        {(products) => (
          <>
            {products.length === 0 && (
              <p className="col-span-full mb-14 text-lg text-muted">
                No merch right now. Leave your email to hear about the next drop.
              </p>
            )}
            <ul aria-label="Products" className="tile-wall">
              {products.map((product, index) => (
                <li key={product.id}>
                  <ProductTile product={product} isFirst={index === 0} />
                </li>
              ))}
              <li className="merch-drops">
                <DropPanel headingLevel="h2" />
              </li>
            </ul>
          </>
        )}
      </QueryBoundary>
    </main>
  )
}

type ProductTileProps = {
  /** `priceCents` is null in a form's preview until the price is entered. */
  product: Pick<Product, 'slug' | 'name' | 'description' | 'imageUrl' | 'stock'> & { priceCents: number | null }
  /** The first tile is larger and shows the description. */
  isFirst: boolean
}

export function ProductTile({ product, isFirst }: ProductTileProps) {
  const { slug, name, description, imageUrl, priceCents, stock } = product
  return (
    <Link to="/merch/$product" params={{ product: slug }} className="merch-tile">
      <ProductImage
        src={imageUrl}
        alt=""
        sizes={isFirst ? PRODUCT_IMAGE.sizes : '(width < 48rem) 100vw, 46vw'}
        eager={isFirst}
      />
      <div className="min-w-0">
        <StockLabel stock={stock} />
        <h2 className="merch-tile-name font-display">{name}</h2>
        {isFirst && <p className="mt-4 line-clamp-3 max-w-prose wrap-anywhere text-muted">{description}</p>}
        {priceCents !== null && (
          <p className="tabular-figures mt-4 font-display text-xl text-gold-bright">{formatPrice(priceCents)}</p>
        )}
      </div>
    </Link>
  )
}
