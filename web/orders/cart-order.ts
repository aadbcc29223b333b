import { tabStorage } from '../lib/storage'

const KEY = 'order of the cart'

/**
 * Stores in this tab that an order was made from the cart, so that what it bought leaves the cart once it is paid.
 * Without storage, it stays in the cart.
 */
export const saveCartOrder = (orderId: string) => tabStorage.write(KEY, orderId)

/**
 * Removes what a paid order bought from the cart. Does nothing on a second call, or for an order that was not made from
 * the cart.
 */
export async function removeOrderFromCart(order: {
  id: string
  lines: readonly { variantId: string; quantity: number }[]
}): Promise<void> {
  if (tabStorage.read(KEY) !== order.id) return
  tabStorage.write(KEY, null)
  const { removeBought } = await import('../cart/cart-store')
  removeBought(order.lines)
}
