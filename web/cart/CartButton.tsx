import { ShoppingBag } from 'lucide-react'
import { Suspense } from 'react'
import { lazyDialog } from '../ui/lazy'
import { closeCart, openCart, useCart } from './cart-store'
import { useCartSync } from './cart-sync'

const CartDrawer = lazyDialog(() => import('./CartDrawer').then((m) => m.CartDrawer))

/** Cart button of the navigation, shown while the cart has lines. */
export function CartButton() {
  useCartSync()
  const { lines, isOpen } = useCart()
  const count = lines.reduce((sum, { quantity }) => sum + quantity, 0)
  return (
    <>
      {count > 0 && (
        <button
          type="button"
          aria-label={`Cart, ${count} ${count === 1 ? 'item' : 'items'}`}
          aria-haspopup="dialog"
          onClick={openCart}
          className="cart-button relative grid size-12 shrink-0 place-items-center hover:text-gold-bright max-sm:-mr-2"
        >
          <ShoppingBag size={22} aria-hidden />
          <span
            aria-hidden="true"
            className="tabular-figures absolute top-1 right-0 min-w-5 rounded-full bg-gold px-1 text-center text-xs/5 font-bold tracking-normal text-background"
          >
            {count > 99 ? '99+' : count}
          </span>
        </button>
      )}
      {isOpen && (
        <Suspense>
          <CartDrawer onClose={closeCart} />
        </Suspense>
      )}
    </>
  )
}
