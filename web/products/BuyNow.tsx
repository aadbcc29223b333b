import { Link } from '@tanstack/react-router'
import type { Product } from '../../worker/contract/products'
import { Button, buttonClass } from '../ui/Button'

/** To the product's own payment page where it has one, else to our checkout (ruling 24). */
export function BuyNow({ product: { id, checkoutUrl, stock } }: { product: Product }) {
  const look = buttonClass('foil', 'w-full text-sm sm:w-64')
  if (stock <= 0)
    return (
      <Button variant="outline" disabled className="w-full sm:w-64">
        Sold out
      </Button>
    )
  if (checkoutUrl)
    return (
      <a href={checkoutUrl} target="_blank" rel="noopener" className={look}>
        Buy Now
        <span className="sr-only">(opens in a new tab)</span>
      </a>
    )
  return (
    <Link to="/checkout" search={{ product: id, quantity: 1 }} className={look}>
      Buy Now
    </Link>
  )
}
