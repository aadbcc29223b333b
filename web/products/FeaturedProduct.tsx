import type { Product } from '../../worker/contract/products'
import { formatPrice } from '../lib/format'
import { Carousel } from '../ui/Carousel'
import { BuyNow } from './BuyNow'
import { StockLabel } from './StockLabel'

/** The limited piece: its pictures, its price and the way to it. `broadcast` is empty when the artist has no channel. */
export function FeaturedProduct({ product, broadcast }: { product: Product; broadcast: string }) {
  return (
    <div className="col-span-full grid grid-cols-subgrid">
      <Carousel
        label={product.name}
        images={product.images}
        sizes="(width < 64rem) 100vw, 46rem"
        className="col-span-full lg:col-span-7 lg:col-start-6"
      />
      <div className="col-span-full flex flex-col items-start max-lg:mt-8 lg:col-span-5 lg:row-start-1 lg:pr-8">
        <StockLabel stock={product.stock} />
        <h3 className="mt-4 font-display text-track">{product.name}</h3>
        <p className="mt-5 max-w-prose text-muted">{product.description}</p>
        <p className="figures foil-text my-8 font-display text-price lg:mt-auto">{formatPrice(product.priceCents)}</p>
        <BuyNow product={product} />
        {broadcast && (
          <p className="mt-4">
            <a
              href={broadcast}
              target="_blank"
              rel="noopener"
              className="inline-block py-3 text-gold-bright underline decoration-gold-deep underline-offset-4 hover:decoration-current"
            >
              Join broadcast to save $5 off on merchandise
            </a>
          </p>
        )}
      </div>
    </div>
  )
}
