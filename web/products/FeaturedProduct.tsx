import { Link } from '@tanstack/react-router'
import type { Product } from '../../worker/contract/products'
import { formatPrice } from '../lib/format'
import { Button, buttonClass } from '../ui/Button'
import { Carousel } from '../ui/Carousel'
import { BroadcastLink } from './BroadcastLink'
import { StockLabel } from './StockLabel'

type Props = {
  product: Product
  /** Empty if the artist has no broadcast channel. */
  broadcastChannelUrl: string
}

export function FeaturedProduct({ product, broadcastChannelUrl }: Props) {
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
        <h3 className="mt-4 font-display text-track wrap-anywhere">
          <Link to="/merch/$product" params={{ product: product.slug }} className="hover:text-gold-bright">
            {product.name}
          </Link>
        </h3>
        <p className="mt-5 max-w-prose wrap-anywhere text-muted max-sm:hidden">{product.description}</p>
        <div className="mt-6 flex w-full items-center gap-x-5 sm:mt-auto sm:block">
          <p className="tabular-figures foil-text font-display text-[2.25rem] leading-none sm:my-8 sm:text-price">
            {formatPrice(product.priceCents)}
          </p>
          <BuyNow product={product} />
        </div>
        {broadcastChannelUrl && <BroadcastLink url={broadcastChannelUrl} />}
      </div>
    </div>
  )
}

/** Links to the product's own payment page if it has one, else to our checkout. */
function BuyNow({ product: { id, checkoutUrl, stock } }: { product: Product }) {
  const className = buttonClass('primary', 'w-full text-sm sm:w-64')
  if (stock <= 0)
    return (
      <Button variant="outline" disabled className="w-full sm:w-64">
        Sold out
      </Button>
    )
  if (checkoutUrl)
    return (
      <a href={checkoutUrl} target="_blank" rel="noopener" className={className}>
        Buy Now
        <span className="sr-only">(opens in a new tab)</span>
      </a>
    )
  return (
    <Link to="/checkout" search={{ product: id, quantity: 1 }} className={className}>
      Buy Now
    </Link>
  )
}
