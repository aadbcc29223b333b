import { tabStorage } from '../lib/storage'

const CART_ORDER_KEY = 'order of the cart'

/**
 * Stores in this tab which order was made from the cart, because its items leave the cart once it is paid. If the
 * browser denies storage, they stay in the cart.
 */
export const saveCartOrder = (orderId: string) => tabStorage.write(CART_ORDER_KEY, orderId)

/**
 * Removes a paid order's items from the cart. Does nothing on a second call, or for an order that was not made from
 * the cart.
 */
export async function removeOrderFromCart(order: {
  id: string
  lines: readonly { variantId: string; quantity: number }[]
}): Promise<void> {
  if (tabStorage.read(CART_ORDER_KEY) !== order.id) return
  tabStorage.write(CART_ORDER_KEY, null)
  const { removeBought } = await import('../cart/cart-store')
  removeBought(order.lines)
}
